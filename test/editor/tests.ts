/** What this suite runs: one line for each test. */
import { demoIsMerged } from './demo.ts';
import { demoScriptOpensTheExtension } from './demoScript.ts';
import { keyIsKept } from './key.ts';
import { restrictedModeRunsNothing } from './restricted.ts';
import { executablesAreTicked, rejectionReachesTheWorker } from './review.ts';
import { picturesForReaders } from './shoot.ts';
import type { World } from './world.ts';

export interface Test {
  readonly name: string;
  readonly body: (world: World) => Promise<void>;
}

export const TESTS: readonly Test[] = [
  { name: 'the walkthrough leads to a merged result', body: demoIsMerged },
  { name: 'in the review, a rejection takes the comments to the worker', body: rejectionReachesTheWorker },
  {
    name: 'in the review, what would run on this machine is merged only when it was ticked',
    body: executablesAreTicked,
  },
  { name: 'the demo script opens the extension on a sample, and ends', body: demoScriptOpensTheExtension },
  { name: 'Restricted Mode offers nothing that runs, and writes nothing', body: restrictedModeRunsNothing },
  { name: 'a typed key is in no file of the folder, the settings or the server', body: keyIsKept },
];

/** Of use to those alone who want pictures. */
export const SHOOTING: Test = { name: 'pictures for readers', body: picturesForReaders };
