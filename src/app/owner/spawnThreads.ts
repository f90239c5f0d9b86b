/** Starts a worker thread without credentials. */
import { join } from 'node:path';
import { serveGateway } from '../../adapters/gateway/door/serveGateway.ts';
import { spawnProjectThread } from '../../adapters/ipc/projectThread.ts';
import { removeSecretsIn } from '../../adapters/shell/sandbox/privateFolders.ts';
import { isSecretVariable } from '../../core/guard/knownSecrets.ts';
import type { SpawnProjectThread } from '../../engine/project/threadPorts.ts';
import type { Gateway } from '../../engine/session/gatewayPorts.ts';
import { homesDirOf } from '../../engine/task/step/taskFolders.ts';
import { messageOf } from '../../shared/errors.ts';
import type { OwnerOptions } from './ownerOptions.ts';

const THREAD_MB = 1024;

export function spawnWith(
  { workerScript, clock, env, threadMb = THREAD_MB, threadPatienceMs }: OwnerOptions,
  { gateway, problem }: { readonly gateway: Gateway; readonly problem: (text: string) => void },
): SpawnProjectThread {
  const options = {
    script: workerScript,
    clock,
    env: withoutSecretVariables(env),
    heapMb: threadMb,
    ...(threadPatienceMs === undefined ? {} : { patienceMs: threadPatienceMs }),
    serveModels: (port: import('node:worker_threads').MessagePort) => serveGateway(port, gateway),
  };
  return (start, calls) => {
    // The thread checks this itself, but only once it has work.
    try {
      removeSecretsIn(join(homesDirOf(start.jobsDir), start.projectId));
    } catch (thrown) {
      problem(`what agents left of your sign-ins could not be removed: ${messageOf(thrown)}`);
    }
    return spawnProjectThread(options, start, calls);
  };
}

/** A worker thread never receives a credential. */
function withoutSecretVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !isSecretVariable(name));
  return Object.fromEntries(kept) as Record<string, string>;
}
