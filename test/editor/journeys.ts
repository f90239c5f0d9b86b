/** What this suite runs: each journey with its tests, in their order. */
import { taskWaitsForItsAction } from './actions.ts';
import { AGENT_SETTINGS, agentTakesAFeature, jobThatWaits } from './agents.ts';
import { agentsWordsAreNoLinks, commandsAreRead } from './answers.ts';
import { backlogIsRun } from './backlog.ts';
import { cardsAreMovedAndFound } from './boardByHand.ts';
import { briefBeginsWithWhatIsThere, briefIsWritten, unsavedPlanIsApproved } from './briefs.ts';
import { connectionIsAddedAndUsed, inWindowWithGateway } from './connections.ts';
import { demoIsMerged } from './demo.ts';
import { demoScriptOpensTheExtension } from './demoScript.ts';
import {
  eachTroubleIsTold,
  enters,
  type Folders,
  inFolder,
  inSeveralFolders,
  isAskedOnce,
  refuses,
  worksAtTheTop,
} from './folders.ts';
import { type Journey, journey, type Step, windowJourney } from './journey.ts';
import { recordFromElsewhere, recordIsImported, workIsTakenAlong } from './kept.ts';
import { inWindowWithoutKey, keyIsAsked } from './key.ts';
import { limitIsRaisedOnce } from './limits.ts';
import { linksShow } from './links.ts';
import { resultIsMergedAsTold } from './mergeGate.ts';
import { notesAreKept } from './notes.ts';
import { DARK, PICTURE_SIZE } from './pictures.ts';
import { PLAN_SIZE, planIsEditedAtItsGate, planIsEditedUnderWay } from './plans.ts';
import { inFragileWindow, projectSteps } from './projects.ts';
import { windowGoesAway } from './reload.ts';
import { inRestrictedWindow, restrictedModeRunsNothing } from './restricted.ts';
import { rejectionReachesTheWorker } from './review.ts';
import { everyCommandWasConfined, sandboxIsUp } from './sandbox.ts';
import { picturesOfBoard, picturesOfJob } from './shoot.ts';
import { pictureOfAgents } from './shootAgents.ts';
import { picturesOfLanes } from './shootLanes.ts';
import { pictureOfTask } from './shootTask.ts';
import { GUIDE, stewardJob } from './stewardJob.ts';
import { taskIsWrittenAndWatched } from './tasks.ts';
import { deadTerminalIsFollowed, secondWindowTakesOver, terminalIsViewed } from './viewers.ts';
import type { EditorWindow } from './window.ts';
import { type Place, type World, withWindow } from './world.ts';

/** A test of test/host/suite, in the extension host of the window. */
const inHost = (name: string): Step<Place> => ({ name, body: ({ window }) => window.door.test(name) });

/** From the first look to a merged result, and what can be done then. */
const newcomer = windowJourney({ size: PICTURE_SIZE, user: DARK }, [
  inHost('activates'),
  inHost('activation alone writes nothing into the folder'),
  inHost('every declared command is registered'),
  inHost('every registered command is declared'),
  inHost('every declared command is ours, once'),
  { name: 'the sandbox is up without an rg of our own, by the ripgrep of the editor', body: sandboxIsUp },
  { name: 'the walkthrough leads to a merged result', body: demoIsMerged },
  {
    name: 'every command of the merged demo ran in the sandbox',
    body: async (place) => everyCommandWasConfined(place),
  },
  inHost('the merged program passes its own tests, in a clean tree'),
  inHost("an agent's note is shown where the mouse rests on its line, as text"),
  inHost('a noted line has a lens for who asks for it'),
  { name: 'a link to a job or feature shows it, a wrong one says so, and none acts', body: linksShow },
  inHost('the API is there while its setting is on, for who has the token'),
  inHost('a project is made, spoken to, suspended and resumed by commands'),
  inHost('an edit of PROJECT.md is asked about, and taken over by the answer'),
  inHost('a project is completed and archived by commands, and its PROJECT.md says so'),
  inHost('language models of the editor get the tools, and answers of those that only look'),
  { name: 'a brief begins with a selection or a file', body: briefBeginsWithWhatIsThere },
  { name: 'a task is written, mended by completion, started, watched and read', body: taskIsWrittenAndWatched },
  {
    name: 'a task waits for an action of another extension, and goes on when that registers it',
    body: taskWaitsForItsAction,
  },
]);

/** One job, from its first question to a record that is taken along. */
const steward = windowJourney({ prepare: stewardJob, edits: [GUIDE], size: PLAN_SIZE }, [
  { name: "an agent's words are shown as they are, and are no links", body: agentsWordsAreNoLinks },
  {
    name: "notes are written, answered, given to others and resolved by mouse; an agent's stand beside the code as text, listed by one click; they survive a reload and move with the code",
    body: notesAreKept,
  },
  {
    name: 'cards are put in order by mouse and by keyboard, found by words, category and group, and tried again; a drop that is not allowed changes nothing',
    body: cardsAreMovedAndFound,
  },
  { name: 'the plan of a job under way is edited, and its versions are compared', body: planIsEditedUnderWay },
  { name: 'in the review, a rejection takes the comments to the worker', body: rejectionReachesTheWorker },
  { name: 'a result is merged only as the editor was told, what would run here ticked', body: resultIsMergedAsTold },
  { name: 'an attempt, a clone and a record can be had', body: workIsTakenAlong },
]);

/** Slow enough to be disturbed, and as a brief finds the settings that says itself who answers. */
const BRIEF_SETTINGS = { 'autonomous.simulated.delayMs': 300, 'autonomous.provider': undefined };

const brief = windowJourney({ prepare: recordFromElsewhere, machine: BRIEF_SETTINGS }, [
  { name: 'a record is imported, rubbish is not', body: recordIsImported },
  { name: 'a brief is written, given gates and a budget, and started', body: briefIsWritten },
  { name: 'what is typed into a plan counts, saved or not, when it is approved', body: unsavedPlanIsApproved },
  {
    name: 'a window that is reloaded in mid-run, and whose extension host is killed later, goes on and pays nothing twice',
    body: windowGoesAway,
  },
]);

const agent = windowJourney({ prepare: jobThatWaits, machine: AGENT_SETTINGS }, [
  { name: 'an agent of the person’s own takes a feature, and its result is merged', body: agentTakesAFeature },
]);

const key = journey(inWindowWithoutKey, [
  { name: 'no key and a revoked one are told of, a good one reaches the model and no file', body: keyIsAsked },
]);

const connections = journey(inWindowWithGateway, [
  { name: 'a connection is added and checked, and its model answers a brief', body: connectionIsAddedAndUsed },
]);

const projects = journey(inFragileWindow, projectSteps);

const inSmall = (body: Step<Place>['body']) => (folders: Folders) => inFolder(folders, 'small', body);

const several = journey(inSeveralFolders, [
  { name: 'several folders: asked once, remembered, chosen anew, and watched', body: isAskedOnce },
  { name: 'a folder below the top of its repository works at the top', body: worksAtTheTop },
  {
    name: 'a state that came with the repository, is of a newer version, damaged or no folder, a folder without git or without a commit: each is told of, shown and left alone',
    body: eachTroubleIsTold,
  },
  { name: 'a terminal that works is viewed in the window, which answers its gates', body: terminalIsViewed },
  { name: 'a terminal that is killed is followed by the window that viewed it', body: deadTerminalIsFollowed },
  { name: 'a second window shows the same board, answers, and takes over', body: secondWindowTakesOver },
  {
    name: 'commands are read before they may run',
    body: async (folders) => {
      await enters(folders, 'small');
      await inFolder(folders, 'small', commandsAreRead);
    },
  },
  {
    name: 'a budget that is too small is raised by one press, and by one on the board, as a plan is approved there, only as the editor was told',
    body: inSmall(limitIsRaisedOnce),
  },
  {
    name: 'a plan is edited and accepted at its gate; a broken edit is marked and kept',
    body: inSmall(planIsEditedAtItsGate),
  },
  {
    name: "an older tool's features are on the board, and one button runs them",
    body: async (folders) => {
      await enters(folders, 'older');
      await inFolder(folders, 'older', backlogIsRun);
    },
  },
]);

/** A window without a folder of this machine. */
const without = (target: string | null, name: string, why: RegExp): Journey =>
  journey<EditorWindow>(
    (world, use) => withWindow(world, world.vsCode, target, use),
    [{ name, body: (window) => refuses(window, why) }],
  );

/** Opens what it needs by itself. */
const alone = (name: string, body: (world: World) => Promise<void>): Journey =>
  journey<World>((world, use) => use(world), [{ name, body }]);

export const JOURNEYS: readonly Journey[] = [
  newcomer,
  steward,
  brief,
  agent,
  key,
  connections,
  projects,
  several,
  without(null, 'no folder says so', /Open a folder with a git repository/),
  without('vscode-userdata:/User', 'a virtual workspace says so', /a folder on this machine/),
  journey(inRestrictedWindow, [
    {
      name: 'Restricted Mode shows the state, offers nothing that runs, and writes nothing',
      body: restrictedModeRunsNothing,
    },
  ]),
  alone('the demo script opens the extension on a sample, and ends', demoScriptOpensTheExtension),
];

/** Of use to those alone who want pictures. */
export const PICTURES: readonly Journey[] = [
  alone('pictures for readers: the board', picturesOfBoard),
  alone('pictures for readers: a job', picturesOfJob),
  alone('pictures for readers: lanes', picturesOfLanes),
  alone('pictures for readers: a task', pictureOfTask),
  alone('pictures for readers: agents', pictureOfAgents),
];
