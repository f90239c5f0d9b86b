/**
 * Wraps the sandbox library; no other file imports it. Its configuration is global to the process and its network
 * proxy, once started, is in every sandbox: so the proxy lives only while a command needs registries, and the policy is
 * passed with each call.
 */

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SandboxRuntimeConfig } from '@anthropic-ai/sandbox-runtime';
import { oneByOne } from '../../../core/session/oneByOne.ts';
import { shellQuote } from '../../../core/text/shellQuote.ts';
import { failure, messageOf } from '../../../shared/errors.ts';
import { platform } from '../../platform/platform.ts';
import { writeCallFilter } from './callFilter.ts';
import type { HeldNetwork } from './heldNetwork.ts';
import { type LocalRelay, relayWords } from './localRelay.ts';
import type { SandboxTools } from './sandboxTools.ts';

/** The permissions of one command; everything else is read-only, and there is no network. */
export interface SandboxPolicy {
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  readonly denyRead: readonly string[];
  /** `host:port` entries. Empty for no network at all, except `local`. */
  readonly hosts: readonly string[];
  /** The one port of this machine that it reaches. */
  readonly local?: LocalRelay | null;
  /** Folder for the files of this start; no command runs in it before. */
  readonly run: string;
  /** The network that the command starts in. Null for a separate network. */
  readonly heldNetwork?: HeldNetwork | null;
  /** Folder that replaces `/tmp`. Null for the machine's `/tmp`, read-only. Only on Linux. */
  readonly tmp?: string | null;
}

export interface Wrapped {
  /** Arguments to spawn, without a shell. */
  readonly argv: readonly [string, ...string[]];
  /** Call once, after the command and all its children have ended. */
  readonly release: () => Promise<void>;
}

/** Loaded with the first sandbox: it is large, and many threads never need it. */
const library = () => import('@anthropic-ai/sandbox-runtime');
type Manager = Awaited<ReturnType<typeof library>>['SandboxManager'];

const SHELL = '/bin/sh';
/** The library makes these writable for internal use; here each command gets a private temp folder and home. */
const LIBRARY_WRITES = [
  ...['/tmp/claude', '/private/tmp/claude'],
  ...(platform.name === 'macos' ? ['.npm/_logs', '.claude/debug'].map((name) => join(homedir(), name)) : []),
];

function baseConfig(tools: SandboxTools): SandboxRuntimeConfig {
  return {
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: [], denyWrite: [...LIBRARY_WRITES] },
    // One thread and one level: it searches the folder of this process, which no command may write.
    ripgrep: { command: tools.ripgrep, args: ['-j1'] },
    mandatoryDenySearchDepth: 1,
    ...(platform.name === 'linux' ? { bwrapPath: tools.bwrap, socatPath: tools.socat } : {}),
  };
}

/**
 * The library's helper starts each command inside: this package may be installed in the user's home, or in the
 * repository.
 */
export function libraryPrograms(): readonly string[] {
  const bundled = fileURLToPath(new URL('./vendor', import.meta.url));
  if (existsSync(bundled)) return [bundled];
  const main = createRequire(import.meta.url).resolve('@anthropic-ai/sandbox-runtime');
  return [join(dirname(main), '..', 'vendor')];
}

function policyConfig(policy: SandboxPolicy): Partial<SandboxRuntimeConfig> {
  const literal = (path: string) => ({ path, literal: true as const });
  // On Linux a writable folder is bound, which makes it readable; as a readable one too, it would be read-only.
  const written = platform.name === 'linux' ? [] : policy.writable;
  return {
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: {
      denyRead: policy.denyRead.map(literal),
      allowRead: [...policy.readable, ...written, ...libraryPrograms()].map(literal),
      allowWrite: policy.writable.map(literal),
      denyWrite: [...LIBRARY_WRITES],
    },
  };
}

/**
 * Number of living sandboxes, and of those that use the proxy: one count per process, because the library is global.
 */
const live = { all: 0, network: 0, proxy: false };
/** Starts and stops of the proxy, and wrapping, run one after the other. */
const inTurn = oneByOne();

async function startProxy(manager: Manager, tools: SandboxTools): Promise<void> {
  if (live.proxy) return;
  await manager.initialize(baseConfig(tools));
  live.proxy = true;
}

/** Stopping removes what a live sandbox may depend on, so it happens only while no sandbox is live. */
async function stopIdleProxy(manager: Manager): Promise<void> {
  if (!live.proxy || live.all > 0) return;
  live.proxy = false;
  await manager.reset();
}

/**
 * Options for bubblewrap that close gaps of the library (0.0.83). For root, kernel switches are writable in any user
 * namespace that maps it, and `core_pattern` alone allows an escape; `user/` stays, because the library's helper limits
 * its namespace there. A command must not reach SysV memory and queues of the machine. The mark ends bubblewrap's own
 * options.
 */
const END_OF_OPTIONS = ' --unsetenv SRT_ALLOW_NESTED_USERNS -- ';
const CLOSED = [
  ' --unshare-ipc --unshare-uts',
  '--ro-bind /proc/sys /proc/sys --bind /proc/sys/user /proc/sys/user',
  ...['fs', 'acpi', 'scsi'].map((name) => `--ro-bind-try /proc/${name} /proc/${name}`),
].join(' ');

/** Removed if the sandbox starts inside a held network. */
const OWN_NETWORK = ' --unshare-net ';

/** Bubblewrap reads it and closes it; the library has 9. */
const FILTER_FD = 8;

/**
 * Lines of the profile on macOS that must match the library's (0.0.83), or no command runs. Through the two services a
 * command would ask for items of the user's Keychain. There is no network namespace: the profile names the local port.
 */
const KEYCHAIN = [
  '  (global-name "com.apple.securityd.xpc")\n',
  '(allow mach-lookup (global-name "com.apple.SecurityServer"))\n',
];
const PROFILE_NETWORK = '\n; Network\n';

function ownProfile(text: string, local: LocalRelay | null): string | null {
  if (![...KEYCHAIN, PROFILE_NETWORK].every((line) => text.split(line).length === 2)) return null;
  const closed = KEYCHAIN.reduce((left, line) => left.replace(line, () => ''), text);
  if (local === null) return closed;
  const rule = `(allow network-outbound (remote ip "localhost:${local.port}"))\n`;
  return closed.replace(PROFILE_NETWORK, () => PROFILE_NETWORK + rule);
}

/**
 * The library (0.0.83) allows 0.3 s for its two relays, then starts the command without them: on a busy machine the
 * first connection is refused. The text must match the library's, or no command with network runs.
 */
const RELAY_WAIT = '-lt 30 ] || break';
const LONGER_RELAY_WAIT = '-lt 1000 ] || break';

/**
 * The library's command line, null if its form is unknown: with `exec` before it, so that the spawned process is the
 * sandbox itself and dies with this process.
 */
function direct(
  argv: readonly string[],
  tools: SandboxTools,
  { local = null, run, hosts, tmp = null, heldNetwork = null }: SandboxPolicy,
): readonly [string, ...string[]] | null {
  const [shell, flag, text] = argv;
  if (argv.length !== 3 || shell === undefined || flag !== '-c' || text === undefined) return null;
  if (platform.name !== 'linux') {
    const profile = ownProfile(text, local);
    return profile === null ? null : [shell, flag, profile];
  }
  if (!text.includes(END_OF_OPTIONS) || (hosts.length > 0 && !text.includes(RELAY_WAIT))) return null;
  const opening = local === null ? '' : `${relayWords(tools.socat, local)} `;
  const filter = join(run, 'filter');
  const filtered = writeCallFilter(filter);
  // After all binds of the library, so that none of these shows the machine's folder.
  const ownTmp = tmp === null ? '' : ` --bind ${shellQuote(tmp)} /tmp`;
  const closed = CLOSED + ownTmp + (filtered ? ` --seccomp ${FILTER_FD}` : '');
  const handed = filtered ? `exec ${FILTER_FD}< ${shellQuote(filter)}; ` : '';
  const patient = text.replace(RELAY_WAIT, LONGER_RELAY_WAIT);
  const line = `exec ${patient.replace(END_OF_OPTIONS, () => closed + END_OF_OPTIONS + opening)}`;
  if (heldNetwork === null) return [shell, flag, handed + line];
  if (!patient.includes(OWN_NETWORK)) return null;
  return [shell, flag, handed + heldNetwork.enter(line.replace(OWN_NETWORK, ' '))];
}

const SHELL_TRIES = 5;

/**
 * The library (0.0.83) runs `which` for the shell and gives it one second: on a busy machine it does not find an
 * existing shell.
 */
async function shellFound<T>(wrap: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await wrap();
    } catch (thrown) {
      if (tries === SHELL_TRIES || !messageOf(thrown).startsWith('Shell ')) throw thrown;
    }
  }
}

/**
 * The argv that runs `command` under `/bin/sh -c` in a sandbox of this policy. The caller controls the environment: it
 * reaches the sandbox's programs too. Throws SANDBOX_UNAVAILABLE.
 */
export function wrapInSandbox(
  tools: SandboxTools,
  policy: SandboxPolicy,
  command: string,
  signal: AbortSignal,
): Promise<Wrapped> {
  const network = policy.hosts.length > 0;
  const id = randomBytes(24).toString('base64url');
  return inTurn(async () => {
    const { SandboxManager: manager } = await library();
    try {
      if (network) await startProxy(manager, tools);
      else {
        await stopIdleProxy(manager);
        if (!live.proxy) manager.updateConfig(baseConfig(tools));
      }
      if (network) manager.registerCommandNetworkLists(id, { allowedDomains: [...policy.hosts] });
      const options = { commandId: id, commandText: 'command' };
      const wrap = () => manager.wrapWithSandboxArgv(command, SHELL, policyConfig(policy), signal, undefined, options);
      const { argv } = await shellFound(wrap);
      const line = direct(argv, tools, policy);
      if (line === null) {
        manager.cleanupAfterCommand();
        throw new Error('the sandbox library gave no command line that we know');
      }
      live.all++;
      return { argv: line, release: () => release(manager, id) };
    } catch (thrown) {
      manager.unregisterCommandNetworkLists(id);
      signal.throwIfAborted();
      throw failure('SANDBOX_UNAVAILABLE', messageOf(thrown), {
        cause: thrown,
      });
    }
  });
}

async function release(manager: Manager, id: string): Promise<void> {
  manager.unregisterCommandNetworkLists(id);
  manager.cleanupAfterCommand();
  live.all--;
  if (live.proxy) await inTurn(() => stopIdleProxy(manager));
}
