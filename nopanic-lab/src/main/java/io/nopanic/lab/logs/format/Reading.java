package io.nopanic.lab.logs.format;

/**
 * With what a log is read.
 *
 * @param classifier says which ends are failures
 * @param by how calls are told apart
 * @param intake takes the calls
 */
public record Reading(Classifier classifier, KeyBy by, Intake intake) {}
