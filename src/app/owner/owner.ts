/**
 * Assembles the owner of a workspace: the store, the gateway, the steward's requests, the worker threads, and the
 * socket for clients.
 */
import { basename } from 'node:path';
import { createGit } from '../../adapters/git/gitPort.ts';
import { listen } from '../../adapters/ipc/server.ts';
import { makeRuntimeDir } from '../../adapters/paths.ts';
import { secretValues } from '../../core/guard/knownSecrets.ts';
import { type WithoutSecrets, withoutSecrets } from '../../core/guard/secrets.ts';
import { recoverInterruptedMerges } from '../../engine/job/tree/recoverInterruptedMerges.ts';
import { AT_WORK, COMMITTED, type EngineListener, REQUESTS, type RequestName } from '../../engine/state/api.ts';
import { Problems } from '../../engine/state/problems.ts';
import type { Store } from '../../engine/state/store.ts';
import { failure } from '../../shared/errors.ts';
import { NOTHING_AT_WORK } from '../../shared/workspace/atWork.ts';
import { guardClaims } from '../open/claims.ts';
import { lookAfterFiles } from '../open/looseFiles.ts';
import { ownState } from '../open/store.ts';
import { assemble, type Owner } from './assemble.ts';
import { ownAnswers } from './ownAnswers.ts';
import type { OwnerOptions } from './ownerOptions.ts';

/**
 * Throws OWNER_BUSY if another process owns the workspace and answers, or may still be at work on it; NOT_PERMITTED if
 * that process cannot be ended.
 */
export async function becomeOwner(options: OwnerOptions): Promise<Owner> {
  const { places, clock } = options;
  makeRuntimeDir(places.runtimeDir);
  const requests: { handle: ((name: RequestName, input: unknown) => Promise<unknown>) | null } = { handle: null };
  let atWork: Owner['atWork'] = () => NOTHING_AT_WORK;
  // The socket comes first, because the owner is the process that answers there. Requests wait until the state is read.
  const ready = Promise.withResolvers<void>();
  let store: Store;
  const asked = Object.fromEntries(
    (Object.keys(REQUESTS) as RequestName[]).map((name) => [
      name,
      async (input: unknown) => {
        await ready.promise;
        return requests.handle?.(name, input);
      },
    ]),
  );
  const functions = {
    ...asked,
    [COMMITTED]: async () => {
      await ready.promise;
      return store.state.meta.last_seq;
    },
    [AT_WORK]: async () => atWork(),
  };
  const guard = await guardClaims({ places, clock, takeOver: options.takeOver === true });
  const listening = await listen({
    runtimeDir: places.runtimeDir,
    stateDir: places.stateDir,
    functions,
    clock,
    replaceSilent: options.takeOver === true,
    former: guard.free,
  });
  const listeners = new Set<EngineListener>();
  const clean = cleanerOf(options);
  const problems = new Problems((text) => {
    for (const listener of listeners) listener.problem?.(text);
    listening.publish('problem', text);
  }, clean);
  const git = createGit({ clock, env: options.env });
  try {
    store = await ownState({
      ...options,
      clean,
      claimant: guard.claimant(listening.mark),
      isShipped: () => git.isCommitted(places.projectDir, basename(places.stateDir)),
      problem: (problem) => problems.add(problem),
    });
  } catch (thrown) {
    await listening.close();
    throw thrown;
  }
  if (store.epoch === 0) {
    await listening.close();
    await store.close();
    if (store.origin === 'newer') {
      throw failure('STATE_NEWER', 'the state in .autonomous was written by a newer version of Autonomous', {
        hint: 'It can be looked at with `autonomous board`. To continue it, update Autonomous.',
      });
    }
    throw failure('STATE_FOREIGN', 'the state in .autonomous was not written by this installation', {
      hint: 'It can be looked at with `autonomous board`. To work here, move the folder .autonomous away.',
    });
  }
  for (const problem of store.problems) problems.add(problem);
  try {
    const answers = await ownAnswers(places, store, (text) => problems.add(text));
    await recoverInterruptedMerges({
      git,
      state: store.state,
      projectDir: places.projectDir,
      problem: (text) => problems.add(text),
    });
    lookAfterFiles(clock, (text) => problems.add(text));
    const owner = assemble(options, { store, answers, listening, listeners, problems, clean }, (handle) => {
      requests.handle = handle;
      ready.resolve();
    });
    atWork = owner.atWork;
    return owner;
  } catch (thrown) {
    // A process that cannot work, because of an invalid setting for instance, must not stay the owner.
    await store.close();
    await listening.close();
    throw thrown;
  }
}

/** Removes the secrets that this process knows, including the current key. */
function cleanerOf({ credentials, env }: OwnerOptions): WithoutSecrets {
  const ofUser = secretValues(env);
  return withoutSecrets(() => [
    ...ofUser,
    credentials.key() ?? '',
    ...Object.values(credentials.headers ?? {}),
    ...(credentials.connections?.secrets() ?? []),
  ]);
}
