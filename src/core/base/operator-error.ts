/** An error that the operator can fix. Commands print its message and end with exit code 1. */
export class OperatorError extends Error {}
