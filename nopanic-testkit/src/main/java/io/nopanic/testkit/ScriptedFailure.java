package io.nopanic.testkit;

/** What a {@link ScriptedDependency} fails with unless the script names something else. It has no stack trace. */
public final class ScriptedFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param call the number of the call that fails, from 1
     */
    public ScriptedFailure(int call) {
        super("call " + call + " fails by script", null, false, false);
    }
}
