/** What this suite runs: one line for each test. */

import { agentTakesAFeature } from './agents.ts';
import { agentsWordsAreNoLinks, commandsAreRead } from './answers.ts';
import { cardsAreMovedAndFound } from './boardByHand.ts';
import { briefBeginsWithWhatIsThere, briefIsWritten } from './briefs.ts';
import { demoIsMerged } from './demo.ts';
import { demoScriptOpensTheExtension } from './demoScript.ts';
import { limitIsRaisedOnce } from './limits.ts';
import { resultIsMergedAsTold } from './mergeGate.ts';
import { notesAreKept } from './notes.ts';
import { planIsEditedAtItsGate, planIsEditedUnderWay } from './plans.ts';
import { projectsWorkSideBySide } from './projects.ts';
import { restrictedModeRunsNothing } from './restricted.ts';
import { rejectionReachesTheWorker } from './review.ts';
import { picturesForReaders } from './shoot.ts';
import { pictureOfAgents } from './shootAgents.ts';
import { pictureOfTask } from './shootTask.ts';
import { taskIsWrittenAndWatched } from './tasks.ts';
import type { World } from './world.ts';

export interface Test {
  readonly name: string;
  readonly body: (world: World) => Promise<void>;
}

export const TESTS: readonly Test[] = [
  { name: 'the walkthrough leads to a merged result', body: demoIsMerged },
  { name: 'in the review, a rejection takes the comments to the worker', body: rejectionReachesTheWorker },
  {
    name: 'a result is merged only as the editor was told, what would run here ticked; its attempt, clone and record can be had',
    body: resultIsMergedAsTold,
  },
  { name: "an agent's words are shown as they are, and are no links", body: agentsWordsAreNoLinks },
  { name: 'commands are read before they may run', body: commandsAreRead },
  { name: 'the demo script opens the extension on a sample, and ends', body: demoScriptOpensTheExtension },
  {
    name: "notes are written, answered, given to others and resolved by mouse; an agent's stand beside the code as text, listed by one click; they survive a reload and move with the code",
    body: notesAreKept,
  },
  {
    name: 'cards are put in order by mouse and by keyboard, found by words, category and group, and tried again; a drop that is not allowed changes nothing',
    body: cardsAreMovedAndFound,
  },
  { name: 'a plan is edited and accepted at its gate; a broken edit is marked and kept', body: planIsEditedAtItsGate },
  { name: 'the plan of a job under way is edited, and its versions are compared', body: planIsEditedUnderWay },
  {
    name: 'a record is imported, rubbish is not; a brief is written, given gates and a budget, started, its unsaved plan approved',
    body: briefIsWritten,
  },
  { name: 'a brief begins with a selection or a file', body: briefBeginsWithWhatIsThere },
  {
    name: 'a budget that is too small is raised by one press, and by one on the board, as a plan is approved there, only as the editor was told',
    body: limitIsRaisedOnce,
  },
  { name: 'an agent of the person’s own takes a feature, and its result is merged', body: agentTakesAFeature },
  { name: 'projects work side by side: a finding, a crash, a reload, an archive', body: projectsWorkSideBySide },
  { name: 'a task is written, mended by completion, started, watched and read', body: taskIsWrittenAndWatched },
  { name: 'Restricted Mode offers nothing that runs, and writes nothing', body: restrictedModeRunsNothing },
];

/** Of use to those alone who want pictures. */
export const SHOOTING: readonly Test[] = [
  { name: 'pictures for readers', body: picturesForReaders },
  { name: 'pictures for readers: a task', body: pictureOfTask },
  { name: 'pictures for readers: agents', body: pictureOfAgents },
];
