// What a user can fix.

/** Printed as one line, without a stack trace; the command exits with 2. */
export class UsageError extends Error {}
