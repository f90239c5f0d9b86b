/**
 * Prevents two owners from working at the same time. A claim names, under this installation's seal, the process that made it.
 * The next claim is possible only after that process released its claim or has ended together with its commands.
 */
import { type ProcessMark, placeOf } from '../../core/state/processMark.ts';
import { failure } from '../../shared/errors.ts';
import { type Claimant, type Epochs, type OtherProcesses, stateNameOf } from '../state/claimPorts.ts';
import type { LineSeal } from '../state/storePorts.ts';

/** Time that a process may need to exit after its socket was closed. */
const DYING_MS = 2_000;

interface Claim extends ProcessMark {
  /** See `stateNameOf`. */
  readonly state: string;
  /** Identifies the folder itself, which may have several paths. Older versions did not store it. */
  readonly folder?: string;
  readonly socket: string;
}

export interface ClaimPorts {
  readonly stateDir: string;
  /** Identifies the folder that contains the state, on this machine. */
  readonly folder: string;
  /** Used for claims only. */
  readonly seal: LineSeal;
  readonly epochs: Epochs;
  readonly others: OtherProcesses;
  /**
   * On Windows: whether a process listens at the pipe of a state, by the hash of its path. A pipe ends with its process. Null where owners
   * listen at sockets.
   */
  readonly isPipeOpen: ((state: string) => Promise<boolean>) | null;
  /** Ends a living process that holds the claim, once. */
  readonly takeOver: boolean;
}

export interface OwnerLock {
  /** Call before the socket is taken. `deaf` is the mark of a socket on which no process listens any more. */
  free(deaf: string | null): Promise<void>;
  /** `mark` is the mark of this process's socket. */
  claimant(mark: string, claimed?: Claimant['claimed']): Claimant;
}

export function ownerLock({ stateDir, folder, seal, epochs, others, isPipeOpen, takeOver }: ClaimPorts): OwnerLock {
  const state = stateNameOf(stateDir);
  let [deaf, mayEnd]: [string | null, boolean] = [null, takeOver];

  /** Returns null if the claim was released, or was truncated by a crash of the machine. */
  const readClaim = (bytes: Uint8Array): Claim | null => {
    const line = Buffer.from(bytes).subarray(0, -1);
    if (epochs.isReleased(bytes) || seal.check(line) === null) return null;
    return JSON.parse(line.toString('utf8')) as Claim;
  };

  /** A copied state contains the claim of the original. On another machine, the same folder has another path and number. */
  const isOfCopy = (claim: Claim): boolean =>
    claim.state !== state && claim.folder !== folder && placeOf(claim, others.own()) !== 'elsewhere';

  /** Whether the system closed the process's socket, which it does when the process is past its end. */
  const isClosed = async (claim: Claim): Promise<boolean> => {
    if (isPipeOpen === null) return claim.socket === deaf && claim.boot !== '' && claim.boot === others.own().boot;
    if (placeOf(claim, others.own()) !== 'here') return false;
    if (claim.socket !== deaf && (await isPipeOpen(claim.state))) return false;
    deaf = claim.socket;
    return true;
  };

  const gone: Claimant['gone'] = async (bytes, path) => {
    const claim = readClaim(bytes);
    if (claim === null || isOfCopy(claim)) return;
    const where = others.whereabouts(claim);
    if (where === 'self' || where === 'gone' || (await isClosed(claim))) return;
    if (where === 'unknown') throw unseen(claim, others.own(), path);
    if (!mayEnd && (await others.isGoneWithin(claim, DYING_MS))) return;
    if (!mayEnd) throw busy(claim);
    mayEnd = false;
    await others.end(claim);
  };

  return {
    free: async (mark) => {
      // The pipe of a state may be that of this process later: only what is found before shows that another process has ended.
      deaf = mark;
      await epochs.askHighest(gone);
    },
    claimant: (mark, claimed = async () => undefined) => {
      const claim: Claim = { ...others.own(), state, folder, socket: mark };
      return { claim: Buffer.from(`${seal.seal(JSON.stringify(claim)).line}\n`), gone, claimed };
    },
  };
}

const busy = ({ pid }: ProcessMark): Error =>
  failure('OWNER_BUSY', `process ${pid} works on this workspace and cannot be reached`, {
    hint: 'Try again in half a minute: an owner restores its socket. If it was started with another XDG_RUNTIME_DIR or AUTONOMOUS_RUNTIME_DIR, set the same here. Or end that process; in VS Code, Take Over does so.',
    details: { pid, silent: true },
  });

function unseen({ pid, host = '' }: ProcessMark, { machine, boot }: ProcessMark, path: string): Error {
  const isNameless = machine === '' && boot === '';
  const where = isNameless ? 'which may run on another machine,' : 'of another machine or container,';
  const named = host === '' ? `process ${pid}` : `process ${pid} of ${host}`;
  return failure('OWNER_BUSY', `${named}, ${where} may still work on this workspace`, {
    hint: `End it there. If you are certain that the process has ended, or that this folder is a copy, remove ${path}.`,
    details: { pid, silent: true },
  });
}
