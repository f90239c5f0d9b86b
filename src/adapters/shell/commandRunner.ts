/** Runs every command: agent, verify and setup commands alike, confined or refused, unless the user decided otherwise. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type {
  CommandRequest,
  CommandResult,
  CommandRunner,
  CommandSession,
  NotInteractive,
  SandboxState,
} from '../../engine/session/commandPorts.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Diagnostic } from '../../shared/diagnostic.ts';
import { errnoOf, findFailure, messageOf } from '../../shared/errors.ts';
import { findShell } from './commandShell.ts';
import { bad } from './diagnostic.ts';
import type { Environment } from './environment.ts';
import { converse } from './process/converse.ts';
import { type ConfinedContext, runConfined } from './sandbox/confined.ts';
import { deniedReads } from './sandbox/deniedReads.ts';
import { probeEscapes } from './sandbox/escapeProbe.ts';
import { holdNetwork } from './sandbox/heldNetwork.ts';
import { needsMachinesTmp } from './sandbox/ownTmp.ts';
import { openPrivateFolders } from './sandbox/privateFolders.ts';
import { readRegistries } from './sandbox/registries.ts';
import type { SandboxTools } from './sandbox/sandboxTools.ts';
import { lookForTools } from './sandbox/sandboxTools.ts';
import { toolchains } from './sandbox/toolchains.ts';
import { startBackground } from './session/background.ts';
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

export interface ProbeReport {
  readonly state: SandboxState;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ShellRunner extends CommandRunner {
  /** Probes the sandbox again, and remembers the new result. */
  probe(): Promise<ProbeReport>;
  /** Removes the private folders of this process. Commands must have ended. */
  close(): Promise<void>;
}

const MAX_PROCESSES = 512;
const FLOOD_BYTES = 64 * 1024 * 1024;

function stateOf(diagnostics: readonly Diagnostic[]): SandboxState {
  const missing = diagnostics.filter((finding) => !finding.ok).map((finding) => `${finding.detail}: ${finding.fix}`);
  return missing.length === 0
    ? { mode: 'sandboxed', detail: `commands are confined; ${diagnostics.length} checks passed` }
    : { mode: 'unconfined', detail: 'commands cannot be confined here: each needs approval', missing };
}

const SWITCHED_OFF: SandboxState = {
  mode: 'unconfined',
  detail: 'the sandbox is switched off: each command needs approval',
  missing: [],
};

const NO_BACKGROUND = 'background commands need the sandbox, which this machine does not have';

function openSession({ folders, shell, networks }: ConfinedContext): CommandSession {
  const own = folders.forSession();
  const session: CommandSession = {
    ...own,
    shell: shell.name,
    sharesNetwork: () => networks.get(session)?.isOpen() === true,
    close: async () => {
      networks.get(session)?.close();
      networks.delete(session);
      await own.close();
    },
  };
  return session;
}

/** Opens the network that all later commands of the session share. */
async function shareNetwork(session: CommandSession, tools: SandboxTools, context: ConfinedContext): Promise<void> {
  if (session.sharesNetwork()) return;
  const held = await holdNetwork(tools, context.environment);
  if (held !== null) context.networks.set(session, held);
}

function notStarted(thrown: unknown, signal: AbortSignal): NotInteractive {
  if (signal.aborted) return { ended: 'aborted', why: 'aborted' };
  const known = findFailure(thrown);
  // An error of the system, such as a full disk or a path that is too long, is a result for the session.
  if (known === undefined && errnoOf(thrown) === undefined) throw thrown;
  return { ended: 'failed_to_start', why: messageOf(known ?? thrown) };
}

interface Judged extends ProbeReport {
  readonly tools: SandboxTools | null;
}

/** Probes the sandbox once per process, at first use. */
export function createCommandRunner(options: CommandRunnerOptions): ShellRunner {
  const environment = options.environment ?? process.env;
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

  async function judge(): Promise<Judged> {
    if (options.confine === false) return { tools: null, diagnostics: [], state: SWITCHED_OFF };
    const { tools, diagnostics } = lookForTools(environment);
    if (tools === null) return { tools, diagnostics, state: stateOf(diagnostics) };
    const probes = await probeEscapes({ ...context, tools });
    // A missing answer proves nothing.
    const all = [
      ...diagnostics,
      ...(probes.length > 0 ? probes : [bad('sandbox-start', 'the sandbox was not probed', 'try again')]),
    ];
    return { tools, diagnostics: all, state: stateOf(all) };
  }

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
      if (known === undefined) throw thrown;
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
