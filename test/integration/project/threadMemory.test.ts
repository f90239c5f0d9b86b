/** A real thread that lives for long: what it answered once is not kept for as long as it lives. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, inject, test } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { spawnProjectThread } from '../../../src/adapters/ipc/projectThread.ts';
import type { OwnerCalls, WorkerStart } from '../../../src/engine/project/threadPorts.ts';
import type { StepAssignment, StepResult } from '../../../src/shared/task/taskWork.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';

test('the result of a step is let go when it was taken', async () => {
  const { program } = await testPrograms(inject('tempRoot'));
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const thread = spawnProjectThread(
    {
      script: program('answeringWorker'),
      clock: systemClock(),
      env: {},
      heapMb: 64,
      serveModels: () => () => undefined,
    },
    { projectId: 'p' } as WorkerStart,
    {} as OwnerCalls,
  );
  const ofStep = async (run: number) => new WeakRef(await thread.step(run, {} as StepAssignment));
  const results = [await ofStep(1), await ofStep(2)];
  // Not the newest one: the machine may still have it in its hands.
  const left = (): StepResult | undefined => {
    collect();
    return results[0]?.deref();
  };
  await expect.poll(left).toBeUndefined();
  await thread.stop(1_000);
  await expect(thread.step(3, {} as StepAssignment)).resolves.toEqual({ outcome: 'aborted' });
});
