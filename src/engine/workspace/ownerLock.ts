/**
 * Prevents two owners from working at the same time. A claim names, under this installation's seal, the process that made it.
 * The next claim is possible only after that process released its claim or has ended together with its commands.
 */
import { createHash } from 'node:crypto';
import { failure } from '../../shared/errors.ts';
import type { Claimant, Epochs, OtherProcesses, ProcessMark } from '../state/claimPorts.ts';
import type { LineSeal } from '../state/storePorts.ts';

/** Time that a process may need to exit after its socket was closed. */
const DYING_MS = 2_000;

interface Claim extends ProcessMark {
  /** Identifies the state folder. */
  readonly state: string;
  readonly socket: string;
}

export interface ClaimPorts {
  readonly stateDir: string;
  /** Used for claims only. */
  readonly seal: LineSeal;
  readonly epochs: Epochs;
  readonly others: OtherProcesses;
  /** True on Windows: a pipe belongs to its process, so a missing pipe proves that the process has ended. */
  readonly pipes: boolean;
  /** Ends a living process that holds the claim, once. */
  readonly takeOver: boolean;
}

export interface OwnerLock {
  /** Call before the socket is taken. `deaf` is the mark of a socket on which no process listens any more. */
  free(deaf: string | null): Promise<void>;
  /** `mark` is the mark of this process's socket. */
  claimant(mark: string): Claimant;
}

/** A copied state contains the claim of the original; the hash of the folder distinguishes the two. */
const nameOf = (stateDir: string): string => createHash('sha256').update(stateDir).digest('hex');

export function ownerLock({ stateDir, seal, epochs, others, pipes, takeOver }: ClaimPorts): OwnerLock {
  let [deaf, mayEnd]: [string | null, boolean] = [null, takeOver];

  /** Returns null if the claim was released, or was truncated by a crash of the machine. */
  const readClaim = (bytes: Uint8Array): Claim | null => {
    const line = Buffer.from(bytes).subarray(0, -1);
    if (epochs.isReleased(bytes) || seal.check(line) === null) return null;
    const claim = JSON.parse(line.toString('utf8')) as Claim;
    return claim.state === nameOf(stateDir) ? claim : null;
  };

  const gone: Claimant['gone'] = async (bytes, path) => {
    const claim = pipes ? null : readClaim(bytes);
    if (claim === null) return;
    const where = others.whereabouts(claim);
    // The kernel closes a socket when the process is past its end, wherever it ran on this machine.
    const closed = claim.socket === deaf && claim.boot === others.own().boot;
    if (where === 'self' || where === 'gone' || closed) return;
    if (where === 'unknown') throw unseen(claim, path);
    if (!mayEnd && (await others.isGoneWithin(claim, DYING_MS))) return;
    if (!mayEnd) throw busy(claim);
    mayEnd = false;
    await others.end(claim);
  };

  return {
    free: async (mark) => {
      deaf = mark;
      await epochs.askHighest(gone);
    },
    claimant: (mark) => {
      const claim: Claim = { ...others.own(), state: nameOf(stateDir), socket: mark };
      return { claim: Buffer.from(`${seal.seal(JSON.stringify(claim)).line}\n`), gone };
    },
  };
}

const busy = ({ pid }: ProcessMark): Error =>
  failure('OWNER_BUSY', `process ${pid} works on this workspace and cannot be reached`, {
    hint: 'End that process; in VS Code, Take Over does so.',
    details: { pid, silent: true },
  });

const unseen = ({ pid }: ProcessMark, path: string): Error =>
  failure('OWNER_BUSY', `process ${pid}, of another machine or container, may still work on this workspace`, {
    hint: `End it there. If you are certain that the process has ended, remove ${path}.`,
    details: { pid, silent: true },
  });
