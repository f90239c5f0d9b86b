/** Options of the servers of tests. */

/** A busy client may come back late: no idle connection is closed under its next call. */
export const PATIENT = { keepAliveTimeout: 600_000 } as const;
