package io.nopanic.docs;

/**
 * What the code in the documentation may use without declaring it: each block that is not a whole source file is compiled inside a
 * subclass of this. Add what pages need to speak of, such as a client of a remote service; nothing here is ever run.
 */
public abstract class Scene {}
