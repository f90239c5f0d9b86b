/** Declares the commands, settings and views of the extension. `npm run contributions` writes them into package.json. */

import { GRAMMARS, LANGUAGES, PLAN_DEFAULTS } from './job/plan/planLanguage.ts';
import { EDITOR_DEFAULTS, SETTINGS } from './settings/declared.ts';
import { TASK_DEFAULTS, TASK_FILES, TASK_GRAMMARS, TASK_LANGUAGES } from './task/text/taskLanguage.ts';
import { COMMANDS, type CommandId, FOLDER, USABLE, WAITS } from './words/commandList.ts';
import { BOARD_PANEL, JOBS_VIEW, PANEL_VIEW } from './words/viewIds.ts';
import { WALKTHROUGH } from './workspace/walkthrough.ts';

const inView = (command: CommandId, view: string, group: string, when = '') => ({
  command,
  when: `view == ${view}${when}`,
  group,
});

/** Active only if something is under review, or the active editor shows a plan or a brief. */
const PLAN = 'resourceScheme == autonomous-plan';
const BRIEF = 'resourcePath in autonomous.briefs';
const NEW_PROJECT = 'resourceScheme == untitled && resourceFilename =~ /\\.project\\.md$/';
/** A file with notes at its lines, or of the features that changed it. */
const NOTED = 'resourceScheme == file && resourcePath in autonomous.notedFiles';
const TASK_FILE = 'resourceFilename =~ /\\.task\\.ya?ml$/ || resourceScheme == autonomous-task';
const FILE = `${USABLE} && resourceScheme == file && !explorerResourceIsFolder`;
const SELECTED = `${USABLE} && editorHasSelection && resourceScheme == file`;
const REVIEW = 'commentController == autonomous.review';
const NOTES = 'commentController == autonomous.notes';
/** Useful only in menus that name their subject. */
const HIDDEN: readonly CommandId[] = [
  'autonomous.newBriefFromFile',
  'autonomous.newBriefFromSelection',
  'autonomous.approveReviewed',
  'autonomous.rejectReviewed',
  'autonomous.addReviewComment',
  'autonomous.deleteReviewComment',
  'autonomous.startBrief',
  'autonomous.insertExampleBrief',
  'autonomous.briefOptions',
  'autonomous.createProject',
  'autonomous.checkTask',
  'autonomous.editNote',
  'autonomous.saveNote',
  'autonomous.cancelNote',
  'autonomous.resolveNote',
  'autonomous.changeNoteScope',
];

const OURS = `(focusedView == ${PANEL_VIEW} || focusedView == ${JOBS_VIEW} || activeWebviewPanelId == ${BOARD_PANEL})`;
const key = (command: CommandId, of: string, when: string) => ({
  command,
  key: `ctrl+${of}`,
  mac: `cmd+${of}`,
  when,
});

/** Active only if a page or document of Autonomous has the focus. No key approves anything. */
export const KEYS = [
  key('autonomous.startBrief', 'enter', `editorTextFocus && ${BRIEF}`),
  key('autonomous.newBrief', 'alt+n', `${OURS} && ${USABLE}`),
  key('autonomous.openBoard', 'alt+b', `${OURS} && ${FOLDER}`),
  key('autonomous.reviewChanges', 'alt+d', `${OURS} && ${WAITS}`),
] as const;

function documentMenus() {
  const item = (command: CommandId, when: string, group: string) => ({ command, when, group });
  return {
    'editor/title': [
      item('autonomous.approveReviewed', 'autonomous.reviewing', 'navigation@-2'),
      item('autonomous.rejectReviewed', 'autonomous.reviewing', 'navigation@-1'),
      item('autonomous.acceptPlan', PLAN, 'navigation@1'),
      item('autonomous.comparePlans', PLAN, 'navigation@2'),
      item('autonomous.startBrief', BRIEF, 'navigation@1'),
      item('autonomous.briefOptions', BRIEF, 'navigation@2'),
      item('autonomous.dryRun', BRIEF, '2_brief@1'),
      item('autonomous.createProject', NEW_PROJECT, 'navigation@1'),
      item('autonomous.startTask', TASK_FILE, 'navigation@1'),
      item('autonomous.showNotesForFile', NOTED, 'navigation@9'),
    ],
    'explorer/context': [item('autonomous.newBriefFromFile', FILE, '7_autonomous')],
    'editor/context': [item('autonomous.newBriefFromSelection', SELECTED, '7_autonomous')],
    'comments/commentThread/context': [
      item('autonomous.addReviewComment', REVIEW, 'inline'),
      item('autonomous.addNote', NOTES, 'inline'),
    ],
    'comments/commentThread/title': [
      item('autonomous.deleteReviewComment', `${REVIEW} && !commentThreadIsEmpty`, 'navigation'),
      item('autonomous.resolveNote', `${NOTES} && !commentThreadIsEmpty`, 'navigation@1'),
      item('autonomous.changeNoteScope', `${NOTES} && !commentThreadIsEmpty`, 'navigation@2'),
    ],
    'comments/comment/title': [item('autonomous.editNote', NOTES, 'inline')],
    'comments/comment/context': [
      item('autonomous.saveNote', NOTES, 'inline@1'),
      item('autonomous.cancelNote', NOTES, 'inline@2'),
    ],
    commandPalette: HIDDEN.map((command) => ({ command, when: 'false' })),
  };
}

/**
 * Menus of project rows in the native tree. Their context value is `project:<status>`, with `:parked` if the project does not run, and `:default` for
 * the default project.
 */
function projectMenus() {
  const on = (command: CommandId, group: string, which: string) =>
    inView(command, JOBS_VIEW, group, ` && viewItem =~ /^project:${which}/`);
  return [
    on('autonomous.newBrief', '1_project@1', 'active'),
    on('autonomous.openConversation', 'inline@1', ''),
    on('autonomous.messageProject', '1_project@2', '(active|suspended)'),
    on('autonomous.suspendProject', '2_project@1', 'active'),
    on('autonomous.resumeProject', 'inline@2', 'suspended'),
    on('autonomous.unparkProject', 'inline@3', '.*:parked'),
    on('autonomous.completeProject', '2_project@2', 'active(?!.*:default)'),
    on('autonomous.archiveProject', '2_project@3', 'completed'),
    on('autonomous.openProjectDefinition', '3_project@1', '(active|suspended)'),
    on('autonomous.openProjectMemory', '3_project@2', ''),
    on('autonomous.openProjectSkills', '3_project@3', ''),
  ];
}

function menus() {
  return {
    ...documentMenus(),
    'view/title': [
      inView('autonomous.newBrief', PANEL_VIEW, 'navigation@1'),
      inView('autonomous.openBoard', PANEL_VIEW, 'navigation@2'),
      inView('autonomous.reloadBoard', PANEL_VIEW, '9_view@1'),
      inView('autonomous.setDailyLimit', PANEL_VIEW, '5_money@1'),
      inView('autonomous.rules', PANEL_VIEW, '5_money@4'),
      inView('autonomous.chooseProvider', PANEL_VIEW, '5_money@2'),
      inView('autonomous.addConnection', PANEL_VIEW, '5_money@5'),
      inView('autonomous.chooseModels', PANEL_VIEW, '5_money@6'),
      inView('autonomous.chooseAgent', PANEL_VIEW, '5_money@3'),
      inView('autonomous.doctor', PANEL_VIEW, '9_view@2'),
      inView('autonomous.export', PANEL_VIEW, '8_kept@1'),
      inView('autonomous.import', PANEL_VIEW, '8_kept@2'),
      inView('autonomous.cleanUpClones', PANEL_VIEW, '8_kept@3'),
      inView('autonomous.showProjects', PANEL_VIEW, '3_projects@1'),
      inView('autonomous.newProject', PANEL_VIEW, '3_projects@2'),
      inView('autonomous.switchProject', PANEL_VIEW, '3_projects@3'),
      inView('autonomous.newTask', PANEL_VIEW, '3_tasks@1'),
      inView('autonomous.showTasks', PANEL_VIEW, '3_tasks@2'),
      inView('autonomous.scheduleTask', PANEL_VIEW, '3_tasks@3'),
      inView('autonomous.newBrief', JOBS_VIEW, 'navigation@1'),
      inView('autonomous.newProject', JOBS_VIEW, 'navigation@2'),
      inView('autonomous.switchProject', JOBS_VIEW, '3_projects@1'),
    ],
    'view/item/context': [
      ...projectMenus(),
      inView('autonomous.pauseJob', JOBS_VIEW, 'inline@1', ' && viewItem =~ /^job:active/'),
      inView('autonomous.resumeJob', JOBS_VIEW, 'inline@1', ' && viewItem == job:paused'),
      inView('autonomous.cancelJob', JOBS_VIEW, '2_job@1', ' && viewItem =~ /^job:(active|paused)/'),
      inView('autonomous.showPlan', JOBS_VIEW, '2_job@2', ' && viewItem =~ /^job:(active|paused)/'),
      inView('autonomous.editPlan', JOBS_VIEW, '2_job@3', ' && viewItem =~ /^job:(active|paused)/'),
      inView('autonomous.addSetupCommand', JOBS_VIEW, '2_job@4', ' && viewItem =~ /^job:(active|paused)/'),
      inView('autonomous.previewNextPrompt', JOBS_VIEW, '3_look@1', ' && viewItem =~ /^job:(active|paused)/'),
      inView('autonomous.retryFeature', JOBS_VIEW, 'inline@1', ' && viewItem =~ /^feature:(failed|completed)/'),
      inView('autonomous.chooseAgent', JOBS_VIEW, 'inline@1', ' && viewItem == feature:pending'),
      inView('autonomous.restoreAttempt', JOBS_VIEW, '2_feature@1', ' && viewItem =~ /^feature:/'),
    ],
  };
}

const CHAT = {
  id: 'autonomous.main',
  name: 'autonomous',
  fullName: 'Autonomous',
  description: 'The main agent: it talks to all projects for you.',
  isSticky: true,
  commands: [
    { name: 'status', description: 'Show open jobs and pending approvals.' },
    { name: 'projects', description: 'Show the status of the projects.' },
    { name: 'brief', description: 'File a brief in the current project.' },
    { name: 'message', description: 'Send a message to a project: its name, then the message.' },
  ],
} as const;

/** The `contributes` of package.json; the language model tools are added by chat/toolContributions.ts. */
export function contributes() {
  return {
    commands: COMMANDS.map(({ id, ...rest }) => ({ command: id, category: 'Autonomous', ...rest })),
    menus: menus(),
    keybindings: KEYS,
    configuration: SETTINGS,
    configurationDefaults: { ...EDITOR_DEFAULTS, ...PLAN_DEFAULTS, ...TASK_DEFAULTS },
    languages: [...LANGUAGES, ...TASK_LANGUAGES],
    grammars: [...GRAMMARS, ...TASK_GRAMMARS],
    yamlValidation: [{ fileMatch: TASK_FILES, url: './media/task/task.schema.json' }],
    walkthroughs: [WALKTHROUGH],
    chatParticipants: [CHAT],
    mcpServerDefinitionProviders: [{ id: 'autonomous.mcp', label: 'Autonomous' }],
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
        contents: 'Open a folder with a git repository to start.\n[Open Folder](command:vscode.openFolder)',
        when: 'workspaceFolderCount == 0',
      },
    ],
  };
}
