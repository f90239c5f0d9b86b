/**
 * What the extension adds to the editor: the one list of its commands, settings and views. `npm run contributions` writes
 * it into package.json.
 */
import { SETTINGS } from './settings/declared.ts';
import { WALKTHROUGH } from './walkthrough.ts';

interface Command {
  readonly id: string;
  readonly title: string;
  readonly icon?: string;
  /** `usable`: a trusted folder is open. `folder`: any folder on this machine is open. */
  readonly enablement: string;
}

const USABLE = 'autonomous.usable';
const FOLDER = 'autonomous.folder';
const ALWAYS = 'true';
const WAITS = `${USABLE} && autonomous.waits`;
const HAS_JOB = `${USABLE} && autonomous.hasJob`;

export const COMMANDS = [
  { id: 'autonomous.newBrief', title: 'New Brief', icon: '$(add)', enablement: USABLE },
  { id: 'autonomous.tryDemo', title: 'Try the Demo', icon: '$(beaker)', enablement: ALWAYS },
  { id: 'autonomous.openBoard', title: 'Open Board', icon: '$(project)', enablement: FOLDER },
  { id: 'autonomous.pauseJob', title: 'Pause Job', icon: '$(debug-pause)', enablement: HAS_JOB },
  { id: 'autonomous.resumeJob', title: 'Resume Job', icon: '$(debug-continue)', enablement: HAS_JOB },
  { id: 'autonomous.cancelJob', title: 'Cancel Job', icon: '$(debug-stop)', enablement: HAS_JOB },
  { id: 'autonomous.retryFeature', title: 'Retry Feature', icon: '$(debug-restart)', enablement: HAS_JOB },
  { id: 'autonomous.reviewChanges', title: 'Review Changes', icon: '$(diff-multiple)', enablement: WAITS },
  { id: 'autonomous.approve', title: 'Approve', icon: '$(check)', enablement: WAITS },
  { id: 'autonomous.reject', title: 'Reject…', icon: '$(close)', enablement: WAITS },
  { id: 'autonomous.editPlan', title: 'Edit Plan', icon: '$(edit)', enablement: HAS_JOB },
  { id: 'autonomous.previewNextPrompt', title: 'Preview Next Prompt', enablement: `${FOLDER} && autonomous.hasJob` },
  { id: 'autonomous.dryRun', title: 'Dry Run', enablement: USABLE },
  { id: 'autonomous.addNote', title: 'Add Note', icon: '$(note)', enablement: USABLE },
  { id: 'autonomous.showNotesForFile', title: 'Show Notes for This File', enablement: FOLDER },
  { id: 'autonomous.setApiKey', title: 'Set API Key', icon: '$(key)', enablement: ALWAYS },
  { id: 'autonomous.chooseProvider', title: 'Choose Provider', enablement: ALWAYS },
  { id: 'autonomous.setDailyLimit', title: 'Set Daily Limit', enablement: USABLE },
  { id: 'autonomous.chooseFolder', title: 'Choose Folder', enablement: 'workspaceFolderCount > 1' },
  { id: 'autonomous.takeOver', title: 'Take Over', enablement: USABLE },
  { id: 'autonomous.reloadBoard', title: 'Reload Board', icon: '$(refresh)', enablement: FOLDER },
  { id: 'autonomous.doctor', title: 'Doctor', enablement: USABLE },
  { id: 'autonomous.showLog', title: 'Show Log', enablement: ALWAYS },
  { id: 'autonomous.copyDiagnostics', title: 'Copy Diagnostics', enablement: ALWAYS },
] as const satisfies readonly Command[];

export type CommandId = (typeof COMMANDS)[number]['id'];

export const PANEL_VIEW = 'autonomous.panel';
export const JOBS_VIEW = 'autonomous.jobs';
/** Type of the board as an editor tab. */
export const BOARD_PANEL = 'autonomous.board';

const inView = (command: CommandId, view: string, group: string, when = '') => ({
  command,
  when: `view == ${view}${when}`,
  group,
});

function menus() {
  return {
    'view/title': [
      inView('autonomous.newBrief', PANEL_VIEW, 'navigation@1'),
      inView('autonomous.openBoard', PANEL_VIEW, 'navigation@2'),
      inView('autonomous.reloadBoard', PANEL_VIEW, '9_view@1'),
      inView('autonomous.setDailyLimit', PANEL_VIEW, '5_money@1'),
      inView('autonomous.chooseProvider', PANEL_VIEW, '5_money@2'),
      inView('autonomous.doctor', PANEL_VIEW, '9_view@2'),
      inView('autonomous.newBrief', JOBS_VIEW, 'navigation@1'),
    ],
    'view/item/context': [
      inView('autonomous.pauseJob', JOBS_VIEW, 'inline@1', ' && viewItem =~ /^job:active/'),
      inView('autonomous.resumeJob', JOBS_VIEW, 'inline@1', ' && viewItem == job:paused'),
      inView('autonomous.cancelJob', JOBS_VIEW, '2_job@1', ' && viewItem =~ /^job:(active|paused)/'),
      inView('autonomous.editPlan', JOBS_VIEW, '2_job@2', ' && viewItem =~ /^job:(active|paused)/'),
      inView('autonomous.previewNextPrompt', JOBS_VIEW, '3_look@1', ' && viewItem =~ /^job:(active|paused)/'),
      inView('autonomous.retryFeature', JOBS_VIEW, 'inline@1', ' && viewItem =~ /^feature:(failed|completed)/'),
    ],
  };
}

/** The `contributes` of package.json. */
export function contributes() {
  return {
    commands: COMMANDS.map(({ id, ...rest }) => ({ command: id, category: 'Autonomous', ...rest })),
    menus: menus(),
    configuration: SETTINGS,
    walkthroughs: [WALKTHROUGH],
    viewsContainers: {
      activitybar: [{ id: 'autonomous', title: 'Autonomous', icon: 'media/activity.svg' }],
    },
    views: {
      autonomous: [
        { type: 'webview', id: PANEL_VIEW, name: 'Board', icon: 'media/activity.svg' },
        { id: JOBS_VIEW, name: 'Jobs', icon: 'media/activity.svg', visibility: 'collapsed' },
      ],
    },
    viewsWelcome: [
      {
        view: JOBS_VIEW,
        contents: 'No job yet.\n[New Brief](command:autonomous.newBrief)\n[Try the Demo](command:autonomous.tryDemo)',
        when: USABLE,
      },
      {
        view: JOBS_VIEW,
        contents: 'Open a folder with a git repository to begin.\n[Open Folder](command:vscode.openFolder)',
        when: 'workspaceFolderCount == 0',
      },
    ],
  };
}
