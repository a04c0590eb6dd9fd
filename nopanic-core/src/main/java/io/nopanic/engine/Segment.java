package io.nopanic.engine;

import java.util.List;

/**
 * A run of stages that one {@link StagedCall} walks: steps that let it pass, and at the end one that starts something and waits for
 * it: the guarded code, or (for a timeout or a hedge) a call of its own over the segment further in, which can be left behind.
 */
final class Segment {

    final Stage[] stages;
    final int[] slotOffsets;
    final int slots;

    /**
     * @param stages outermost first; only the last may start something
     */
    Segment(List<Stage> stages) {
        this.stages = stages.toArray(Stage[]::new);
        slotOffsets = new int[this.stages.length];
        int offset = 0;
        for (int i = 0; i < this.stages.length; i++) {
            slotOffsets[i] = offset;
            offset += this.stages[i].slots();
        }
        slots = offset;
    }
}
