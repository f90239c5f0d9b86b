/**
 * Assembles the owner of a workspace: the store, the gateway, the steward's requests, the worker threads, and the
 * socket for clients.
 */
import { basename } from 'node:path';
import { createGit } from '../../adapters/git/gitPort.ts';
import { secretValues } from '../../core/guard/knownSecrets.ts';
import { type WithoutSecrets, withoutSecrets } from '../../core/guard/secrets.ts';
import { recoverInterruptedMerges } from '../../engine/job/tree/recoverInterruptedMerges.ts';
import { AT_WORK, COMMITTED, type EngineListener, REQUESTS, type RequestName } from '../../engine/state/api.ts';
import { Problems } from '../../engine/state/problems.ts';
import { NOTHING_AT_WORK } from '../../shared/workspace/atWork.ts';
import { lookAfterFiles } from '../open/looseFiles.ts';
import { claimState, type OwnedState } from '../open/ownership/claims.ts';
import { assemble, type Owner } from './assemble.ts';
import { ownAnswers } from './ownAnswers.ts';
import type { OwnerOptions } from './ownerOptions.ts';

/**
 * Throws OWNER_BUSY if another process owns the workspace and answers, or may still be at work on it; NOT_PERMITTED if
 * that process cannot be ended.
 */
export async function becomeOwner(options: OwnerOptions): Promise<Owner> {
  const { places, clock } = options;
  const requests: { handle: ((name: RequestName, input: unknown) => Promise<unknown>) | null } = { handle: null };
  let atWork: Owner['atWork'] = () => NOTHING_AT_WORK;
  // Requests wait until the state is read.
  const ready = Promise.withResolvers<void>();
  let owned: OwnedState | null = null;
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
      return owned?.store.state.meta.last_seq;
    },
    [AT_WORK]: async () => atWork(),
  };
  const listeners = new Set<EngineListener>();
  const clean = cleanerOf(options);
  const problems = new Problems((text) => {
    for (const listener of listeners) listener.problem?.(text);
    owned?.listening.publish('problem', text);
  }, clean);
  const git = createGit({ clock, env: options.env });
  owned = await claimState({
    ...options,
    functions,
    clean,
    isShipped: () => git.isCommitted(places.projectDir, basename(places.stateDir)),
    problem: (problem) => problems.add(problem),
  });
  const { listening, store } = owned;
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
