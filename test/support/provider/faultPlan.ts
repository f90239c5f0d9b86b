/** Which cases there are: every kind at every place for every role, and scripts of faults at random. */
import { randomOf } from '../suite/proof.ts';
import type { Account, FaultCase } from './faultCase.ts';
import { FAULT_KINDS, type FaultKind, KINDS, POSITIONS, type Required, type Strike } from './faultKinds.ts';
import type { Mishap } from './mishaps.ts';
import { FAULT_ROLES, type FaultRole, type Stage } from './modelAnswers.ts';

export interface PlannedCase extends FaultCase {
  readonly kind: FaultKind;
  readonly required: Required;
  /** How often the fault strikes, one request after the other. */
  readonly times: number;
}

/** Of a kind, at a place, for a role: at the work or at the answer of the session, once or more often than it is borne. */
export function plannedCase(kind: FaultKind, position: number, role: FaultRole, seed: number): PlannedCase {
  const at = KINDS.indexOf(kind);
  const stage: Stage = role === 'summarizer' || (position + at) % 2 === 1 ? 'answer' : 'work';
  const often = strikeAt(kind, position, stage, role).required.after ?? 2;
  const times = [1, often, often + 1, Math.max(1, often - 1)][Math.floor(position / 3 + at) % 4] ?? 1;
  return struck({ kind, position, role, seed, stage, times });
}

interface Struck {
  readonly kind: FaultKind;
  readonly position: number;
  readonly role: FaultRole;
  readonly seed: number;
  readonly stage: Stage;
  readonly times: number;
}

function struck({ kind, position, role, seed, stage, times }: Struck): PlannedCase {
  const { mishap, required } = strikeAt(kind, position, stage, role);
  let left = times;
  const next = (asked: Stage): Mishap | null => (asked === stage && left-- > 0 ? mishap : null);
  const name = `${kind} at ${position} of the ${stage} for the ${role}, ${times} times`;
  return { name, kind, role, seed, next, required, times };
}

function strikeAt(kind: FaultKind, position: number, stage: Stage, role: FaultRole): Strike {
  return FAULT_KINDS[kind]({ position, stage, plain: role === 'summarizer' });
}

export function allCases(seed: number): PlannedCase[] {
  return KINDS.flatMap((kind) =>
    FAULT_ROLES.flatMap((role) =>
      Array.from({ length: POSITIONS }, (_, position) => plannedCase(kind, position, role, seed + position)),
    ),
  );
}

/** Each kind for each role, at places by the seed. */
export function someCases(seed: number): PlannedCase[] {
  const random = randomOf(seed);
  return KINDS.flatMap((kind) => FAULT_ROLES.map((role) => plannedCase(kind, random(POSITIONS), role, random(1e6))));
}

/** Up to eight faults of any kind, one request after the other. */
export function randomCase(seed: number): FaultCase {
  const random = randomOf(seed);
  const role = FAULT_ROLES[random(FAULT_ROLES.length)] ?? 'worker';
  const script = Array.from({ length: random(9) }, () => {
    const kind = KINDS[random(KINDS.length)] ?? 'cut stream';
    const position = random(POSITIONS);
    const sound = random(4) === 0;
    return (stage: Stage) => (sound ? null : strikeAt(kind, position, stage, role).mishap);
  });
  return { name: `script ${seed}`, role, seed, next: (stage) => script.shift()?.(stage) ?? null };
}

/** How the first life of a planned case differs from what the specification wants; null: it does not. */
export function missed({ required, times }: PlannedCase, { results }: Account): string | null {
  const [first] = results;
  const borne = required.after === null || times < required.after;
  const wanted = borne
    ? 'answered'
    : required.outcome === 'ended'
      ? `ended ${required.reason}`
      : `${required.outcome} ${required.code}`;
  const came = first === undefined ? 'nothing' : named(first);
  return came === wanted ? null : `${came} instead of ${wanted}`;
}

function named(result: Account['results'][number]): string {
  if (result.outcome === 'ended') return `ended ${result.reason}`;
  if (result.outcome !== 'unavailable') return result.outcome;
  return `${result.wakeAt === null ? 'asks' : 'unavailable'} ${result.code}`;
}

/** What earlier runs found, now mended. */
export function foundCases(): FaultCase[] {
  const found = { position: 6, role: 'worker', seed: 1, stage: 'work', times: 1 } as const;
  return [
    // For ever, a byte a minute.
    struck({ ...found, kind: 'slow loris' }),
    // A whole answer with rubbish after its end in one packet: thrown away, and paid twice.
    struck({ ...found, kind: 'malformed SSE', position: 11 }),
    // Two calls with one id, and one result for both.
    struck({ ...found, kind: 'duplicate tool ids', position: 5 }),
    // The next life was given the pause that this one had heard.
    scripted('an empty pause, then a stream that breaks', ['empty pause', ...Array<FaultKind>(4).fill('cut stream')]),
  ];
}

function scripted(name: string, kinds: readonly FaultKind[]): FaultCase {
  const script = [...kinds];
  const next = (stage: Stage): Mishap | null => {
    const kind = script.shift();
    return kind === undefined ? null : strikeAt(kind, 6, stage, 'worker').mishap;
  };
  return { name, role: 'worker', seed: 1, next };
}
