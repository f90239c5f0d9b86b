/**
 * fast-check with a fixed seed: a property test makes the same inputs in every run. A failure prints its seed and path;
 * `PROOF_SEED=<seed> vitest run <file>` makes the same failure again, and another seed makes other inputs.
 */
import fc from 'fast-check';
import { SEED } from './proof.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

export { fc };
