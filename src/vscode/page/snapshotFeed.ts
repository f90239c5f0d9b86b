/** Sends a page its snapshots: at most ten a second, in slices that let the event loop breathe. */
import type { Clock } from '../../shared/clock.ts';
import type { PanelView } from '../../shared/workspace/panel.ts';
import type { SnapshotMessage, SnapshotPacker } from '../../shared/workspace/snapshot.ts';
import { type Throttle, throttle } from '../window/throttle.ts';

export const BETWEEN_MS = 100;
/** Work after which others have their turn. */
const SLICE_MS = 8;

export interface Source {
  readonly packer: SnapshotPacker;
  /** Work before `view`, by pieces. */
  catchUp(): Iterable<unknown>;
  view(): PanelView;
}

export interface FeedPorts {
  readonly clock: Clock;
  readonly source: Promise<Source>;
  /** Whether the page is visible. */
  readonly shown: () => boolean;
  readonly send: (message: SnapshotMessage) => void;
  /** A snapshot has gone out whole. */
  readonly sent: () => void;
  readonly failed: (thrown: unknown) => void;
}

let revision = 0;

export function snapshotFeed({ clock, source, shown, send, sent, failed }: FeedPorts): Throttle {
  /** Returns false if it stopped early because the page was hidden. When shown again, the page requests the missing parts. */
  const inSlices = async <Piece>(pieces: Iterable<Piece>, take: (piece: Piece) => void): Promise<boolean> => {
    let began = clock.monotonic();
    for (const piece of pieces) {
      take(piece);
      if (clock.monotonic() - began < SLICE_MS) continue;
      await clock.sleep(0);
      if (!shown()) return false;
      began = clock.monotonic();
    }
    return true;
  };
  const feed = async (): Promise<void> => {
    const { packer, catchUp, view } = await source;
    if (!(await inSlices(catchUp(), () => undefined)) || !shown()) return;
    revision++;
    if (await inSlices(packer.pack(revision, view()), send)) sent();
  };
  return throttle(clock, BETWEEN_MS, async () => {
    if (!shown()) return;
    try {
      await feed();
    } catch (thrown) {
      failed(thrown);
    }
  });
}
