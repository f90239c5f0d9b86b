/** Runs every command: agent, verify and setup commands alike, confined or refused, unless the user decided otherwise. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type {
  CommandRequest,
  CommandResult,
  CommandRunner,
  NotInteractive,
} from '../../engine/session/commandPorts.ts';
import type { Clock } from '../../shared/clock.ts';
import { errnoOf, findFailure, messageOf } from '../../shared/errors.ts';
import { type Environment, ownEnvironment } from '../platform/platform.ts';
import { findShell } from './commandShell.ts';
import { type Judged, judgeSandbox, type ProbeReport } from './judgeSandbox.ts';
import { converse } from './process/converse.ts';
import { runConfined } from './runConfined.ts';
import type { ConfinedContext } from './sandbox/confined.ts';
import { deniedReads } from './sandbox/deniedReads.ts';
import { needsMachinesTmp } from './sandbox/ownTmp.ts';
import { openPrivateFolders } from './sandbox/privateFolders.ts';
import { readRegistries } from './sandbox/registries.ts';
import { toolchains } from './sandbox/toolchains.ts';
import { startBackground } from './session/background.ts';
import { openSession, shareNetwork } from './session/openSession.ts';
import { runUnconfined } from './unconfined.ts';

export interface CommandRunnerOptions {
  readonly clock: Clock;
  /** Folders and files that no command may read, besides the known places of secrets: jobs, state, configuration, runtime. */
  readonly denyRead?: readonly string[];
  /**
   * Folder of the private homes of commands; each clone has its own, so that package caches survive. Default: a temp
   * folder, removed on close.
   */
  readonly privateDir?: string;
  /** The environment of this process; only an allow-list of it reaches a command. */
  readonly environment?: Environment;
  /** False if the user wants no sandbox, so that each command needs approval. */
  readonly confine?: boolean;
  /** The user's real home. */
  readonly home?: string;
  /** A command that starts more processes is ended. */
  readonly maxProcesses?: number;
  /** A command that prints more is ended; the request limits the part of the output that is kept. */
  readonly floodBytes?: number;
}

export interface ShellRunner extends CommandRunner {
  /** Probes the sandbox again, and remembers the new result. */
  probe(): Promise<ProbeReport>;
  /** Removes the private folders of this process. Commands must have ended. */
  close(): Promise<void>;
}

const MAX_PROCESSES = 512;

const FLOOD_BYTES = 64 * 1024 * 1024;

const NO_BACKGROUND = 'background commands need the sandbox, which this machine does not have';

function notStarted(thrown: unknown, signal: AbortSignal): NotInteractive {
  if (signal.aborted) return { ended: 'aborted', why: 'aborted' };
  const known = findFailure(thrown);
  // An error of the system, such as a full disk or a path that is too long, is a result for the session.
  if (known === undefined && errnoOf(thrown) === undefined) throw thrown;
  return { ended: 'failed_to_start', why: messageOf(known ?? thrown) };
}

/** Probes the sandbox once per process, at first use. */
export function createCommandRunner(options: CommandRunnerOptions): ShellRunner {
  const environment = options.environment ?? ownEnvironment();
  const home = resolve(options.home ?? homedir());
  const folders = openPrivateFolders(options.privateDir);
  const denyRead = [
    ...new Set([
      ...deniedReads(environment, home),
      ...(options.denyRead ?? []).map((path) => resolve(path)),
      folders.root,
    ]),
  ];
  const allowRead = toolchains(environment, home, denyRead);
  const context: ConfinedContext = {
    clock: options.clock,
    environment,
    shell: findShell(environment, denyRead),
    denyRead,
    allowRead,
    folders,
    needsMachinesTmp: needsMachinesTmp({ environment, readable: allowRead }),
    registries: readRegistries(environment, home),
    maxProcesses: options.maxProcesses ?? MAX_PROCESSES,
    floodBytes: options.floodBytes ?? FLOOD_BYTES,
    talking: new Set(),
    networks: new Map(),
  };

  const judge = (): Promise<Judged> => judgeSandbox(options.confine !== false, context);
  let judged: Promise<Judged> | null = null;
  const judgement = (): Promise<Judged> => {
    judged ??= judge();
    return judged;
  };

  async function outcomeOf(request: CommandRequest): Promise<Omit<CommandResult, 'durationMs'>> {
    const { state, tools } = await judgement();
    const sandboxed = state.mode === 'sandboxed' && tools !== null;
    try {
      const outcome = sandboxed ? await runConfined(request, tools, context) : await runUnconfined(request, context);
      return { ...outcome, sandboxed };
    } catch (thrown) {
      if (request.signal.aborted) return { exitCode: null, ended: 'aborted', output: '', sandboxed };
      const known = findFailure(thrown);
      // The disk says nothing about the command.
      if (known === undefined || known.code === 'DISK') throw thrown;
      return { exitCode: null, ended: 'failed_to_start', output: known.message, sandboxed };
    }
  }

  return {
    sandbox: async () => (await judgement()).state,
    openSession: () => openSession(context),
    async start(request) {
      const { tools, state } = await judgement();
      if (request.signal.aborted) return { ended: 'aborted', why: 'aborted' };
      if (state.mode !== 'sandboxed' || tools === null) return { ended: 'refused', why: NO_BACKGROUND };
      try {
        await shareNetwork(request.session, tools, context);
        return await startBackground(request, tools, context);
      } catch (thrown) {
        return notStarted(thrown, request.signal);
      }
    },
    async probe() {
      judged = judge();
      const { state, diagnostics } = await judged;
      return { state, diagnostics };
    },
    async run(request) {
      const started = options.clock.monotonic();
      const outcome = await outcomeOf(request);
      return { ...outcome, durationMs: Math.round(options.clock.monotonic() - started) };
    },
    async converse(request) {
      const { state, tools } = await judgement();
      if (request.signal.aborted) return { ended: 'aborted', why: 'aborted' };
      try {
        return await converse(request, state.mode === 'sandboxed' ? tools : null, context);
      } catch (thrown) {
        return notStarted(thrown, request.signal);
      }
    },
    close: async () => {
      for (const held of context.networks.values()) held.close();
      await folders.close();
    },
  };
}
