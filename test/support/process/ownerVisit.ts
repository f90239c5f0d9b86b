/** A client at the socket of an owner that may die at any moment: it drives it, and hears what is told. */
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../../src/adapters/clock.ts';
import { type Connection, connect } from '../../../src/adapters/ipc/client.ts';
import { becomeClient } from '../../../src/app/open/client.ts';
import type { Engine } from '../../../src/engine/state/api.ts';
import type { WorkspacePaths } from '../../../src/engine/state/workspacePaths.ts';
import type { PlainFailure } from '../../../src/shared/errors.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';
import type { State } from '../../../src/shared/workspace/state.ts';
import { stuckAt } from '../invariants/stuck.ts';
import type { KillDriver } from '../kill/killDriver.ts';
import type { KillProcess } from '../kill/killProcess.ts';
import { eventsIn } from '../state/eventFiles.ts';
import { WASM_FILE } from './testPrograms.ts';

/** Whose owner it is, and what is kept of the visit. */
interface Visited {
  readonly places: WorkspacePaths;
  readonly driver: Pick<KillDriver, 'visit'>;
  readonly told: Event[];
  readonly stuck: string[];
}

interface Watch {
  told(event: Event): void;
  /** At the beginning, with each event, and now and then. */
  look(state: State): void;
  /** A job could not continue. */
  failed?(failure: PlainFailure): void;
  problem?(text: string): void;
}

const AGAIN_MS = 200;

/** Drives it as a client does, for as long as it lives. What it tells is taken from its socket, before anyone makes a state of it. */
export async function visitOwner(process: KillProcess, visited: Visited, watch: Watch): Promise<void> {
  if (!(await process.up)) return;
  const { told, look } = watch;
  const { stateDir } = visited.places;
  const places = { ...visited.places, clock: systemClock(), places: visited.places, wasmFile: WASM_FILE };
  const onPublished = (topic: string, payload: unknown): void => {
    if (topic !== 'event') return;
    visited.told.push(payload as Event);
    told(payload as Event);
  };
  let [engine, ear]: [Engine | null, Connection | null] = [null, null];
  while (engine === null) {
    try {
      ear = await connect({ ...places, onPublished });
      engine = await becomeClient(places);
    } catch {
      ear?.close(); // killed while it was reached, or too busy to answer in time
      if (await Promise.race([process.exit.then(() => true), wait(AGAIN_MS, false)])) return;
    }
  }
  const { state } = engine;
  visited.stuck.push(...stuckAt(state, eventsIn(stateDir)));
  const visit = visited.driver.visit(engine);
  const turn = (): void => {
    look(state);
    visit.steer();
  };
  engine.follow({
    event: turn,
    failed: (_, failure) => watch.failed?.(failure),
    problem: (text) => watch.problem?.(text),
  });
  turn();
  // What only the files tell is looked for again: the end of a conversation's round is no event. So is what was refused.
  const again = setInterval(turn, 50);
  await process.exit;
  clearInterval(again);
  await visit.over();
  await engine.close();
  // What it said last may still be on its way.
  await ear?.closed;
}
