/** That the proof of kills can fail: the shipped program with one bug in it, killed where the bug shows, and caught by the same checker. */
import { expect, vi } from 'vitest';
import { wrongFiles } from '../support/invariants/invariants.ts';
import { lostEvents } from '../support/invariants/lost.ts';
import { moneyIn } from '../support/invariants/money.ts';
import { type Kill, KillWorld } from '../support/kill/killWorld.ts';
import { eventsIn } from '../support/state/eventFiles.ts';
import { planted } from '../support/suite/planted.ts';
import { type Built, buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { SEED } from '../support/suite/proof.ts';

/** For a machine that does much else. */
vi.setConfig({ testTimeout: 600_000 });

async function judged(bug: PlantedBug, check: (programs: Built) => Promise<void>): Promise<void> {
  using programs = await buildWith(bug, ['src/cli.ts', 'src/worker.ts']);
  await check(programs);
}

async function killed(
  programs: Built,
  kills: readonly Kill[],
  look: (world: KillWorld) => Promise<void>,
): Promise<void> {
  await using world = await KillWorld.open(programs, 'clean', SEED, 0);
  for (const kill of kills) await world.live(kill);
  await look(world);
}

planted('an event that is sent before it is durable', async () => {
  const bug = {
    file: 'src/engine/state/store.ts',
    find: `        const end = await this.#options.log.append(events, this.end);
        this.#acknowledge(batch, end);`,
    put: `        this.#acknowledge(batch, this.end);
        this.end = await this.#options.log.append(events, this.end);`,
  };
  await judged(bug, (programs) =>
    killed(programs, [{ at: 'event', types: ['message_sent'], nth: 1, how: 'before' }], async (world) => {
      expect(lostEvents(eventsIn(world.places.stateDir), world.told)).toContainEqual(
        expect.stringContaining('(message_sent)'),
      );
    }),
  );
});

planted('an answer on the disk that is not given again', async () => {
  const bug = {
    file: 'src/adapters/files/keptAnswers.ts',
    find: '        if (kept?.asked !== asked ||',
    put: '        if (kept !== undefined || kept?.asked !== asked ||',
  };
  const kills = [
    { at: 'event', types: ['call_settled'], nth: 1, how: 'durable' },
    { at: 'told', types: ['call_settled'], nth: 2, ms: 0 },
  ] as const;
  await judged(bug, (programs) =>
    killed(programs, kills, async (world) => {
      expect(world.paidTwice).not.toEqual([]);
    }),
  );
});

planted('a reservation that is given back at a restart', async () => {
  const bug = {
    file: 'src/core/workspace/reduceWorkspace.ts',
    find: "SPEND, spend.status, 'unsettle')",
    put: "SPEND, spend.status, 'release')",
  };
  const kills = [
    { at: 'event', types: ['call_reserved'], nth: 1, how: 'durable' },
    { at: 'told', types: ['call_reserved'], nth: 1, ms: 0 },
  ] as const;
  await judged(bug, (programs) =>
    killed(programs, kills, async (world) => {
      const { total } = (await world.json('costs')) as { total: { unsettledUsd: number; reservedUsd: number } };
      const { unsettledMicroUsd } = moneyIn(eventsIn(world.places.stateDir), world.server.bill);
      expect(unsettledMicroUsd).toBeGreaterThan(0);
      expect(Math.round((total.unsettledUsd + total.reservedUsd) * 1e6)).not.toBe(unsettledMicroUsd);
    }),
  );
});

planted('a tool that takes effect again after a restart', async () => {
  const bug = {
    file: 'src/engine/job/tree/checkpoints.ts',
    find: '      await restoreTree(context, checkpoint ?? start ?? laneHead(context, job));',
    put: '      if (checkpoint === null) await restoreTree(context, start ?? laneHead(context, job));',
  };
  // The edit was made, and the journal does not say so.
  const kill = { at: 'journal', word: 'edited one.txt', nth: 1, how: 'before' } as const;
  await judged(bug, (programs) =>
    killed(programs, [kill], async (world) => {
      await world.finish();
      expect(wrongFiles(world)).toEqual(['one.txt is not as it must be']);
    }),
  );
});
