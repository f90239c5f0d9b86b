import { expect } from 'vitest';

/** What the reducer throws for an event that does not fit the state. */
export const ILLEGAL = expect.objectContaining({ code: 'ILLEGAL_TRANSITION' });
