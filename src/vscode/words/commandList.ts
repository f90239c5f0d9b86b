/** The commands that the extension adds to the editor, and when each is enabled. `contributions.ts` writes them into package.json. */

interface Command {
  readonly id: string;
  readonly title: string;
  readonly icon?: string;
  /** `usable`: a trusted folder is open. `folder`: any folder on this machine is open. */
  readonly enablement: string;
}

export const USABLE = 'autonomous.usable';
export const FOLDER = 'autonomous.folder';
const ALWAYS = 'true';
export const WAITS = `${USABLE} && autonomous.waits`;
const REVIEWING = `${USABLE} && autonomous.reviewing`;
const API_ON = `${USABLE} && config.autonomous.api.enabled`;
const HAS_JOB = `${USABLE} && autonomous.hasJob`;
/** Whether a project besides the default one exists. */
const HAS_PROJECT = `${USABLE} && autonomous.hasProject`;
const HAS_TASK = `${USABLE} && autonomous.hasTask`;
const SEES_TASK = `${FOLDER} && autonomous.hasTask`;

export const COMMANDS = [
  { id: 'autonomous.newBrief', title: 'New Brief', icon: '$(add)', enablement: USABLE },
  { id: 'autonomous.newBriefFromFile', title: 'New Brief from This File', enablement: USABLE },
  { id: 'autonomous.newBriefFromSelection', title: 'New Brief from Selection', enablement: USABLE },
  { id: 'autonomous.runBacklog', title: 'Run Backlog…', icon: '$(play-circle)', enablement: USABLE },
  { id: 'autonomous.tryDemo', title: 'Try the Demo', icon: '$(beaker)', enablement: ALWAYS },
  { id: 'autonomous.newProject', title: 'New Project…', icon: '$(new-folder)', enablement: USABLE },
  { id: 'autonomous.createProject', title: 'Create Project', icon: '$(check)', enablement: USABLE },
  { id: 'autonomous.showProjects', title: 'Show Projects', icon: '$(list-tree)', enablement: FOLDER },
  { id: 'autonomous.switchProject', title: 'Switch Project', icon: '$(arrow-swap)', enablement: USABLE },
  {
    id: 'autonomous.openConversation',
    title: 'Open Conversation…',
    icon: '$(comment-discussion)',
    enablement: FOLDER,
  },
  { id: 'autonomous.messageProject', title: 'Message Project…', icon: '$(comment)', enablement: USABLE },
  { id: 'autonomous.suspendProject', title: 'Suspend Project', icon: '$(debug-pause)', enablement: USABLE },
  { id: 'autonomous.resumeProject', title: 'Resume Project', icon: '$(debug-continue)', enablement: USABLE },
  { id: 'autonomous.unparkProject', title: 'Unpark Project', icon: '$(debug-restart)', enablement: HAS_PROJECT },
  { id: 'autonomous.completeProject', title: 'Complete Project', icon: '$(pass)', enablement: HAS_PROJECT },
  { id: 'autonomous.archiveProject', title: 'Archive Project', icon: '$(archive)', enablement: HAS_PROJECT },
  { id: 'autonomous.openProjectDefinition', title: 'Edit Project Definition', icon: '$(edit)', enablement: USABLE },
  { id: 'autonomous.openProjectMemory', title: 'Browse Memory', icon: '$(book)', enablement: FOLDER },
  { id: 'autonomous.openProjectSkills', title: 'Browse Skills', icon: '$(mortar-board)', enablement: FOLDER },
  { id: 'autonomous.newTask', title: 'New Long-Running Task…', icon: '$(tasklist)', enablement: USABLE },
  { id: 'autonomous.showTasks', title: 'Show Tasks', icon: '$(tasklist)', enablement: SEES_TASK },
  { id: 'autonomous.showTask', title: 'Show Task', icon: '$(eye)', enablement: SEES_TASK },
  { id: 'autonomous.startTask', title: 'Start Task', icon: '$(play)', enablement: USABLE },
  { id: 'autonomous.checkTask', title: 'Check Task', icon: '$(checklist)', enablement: ALWAYS },
  { id: 'autonomous.pauseTask', title: 'Pause Task', icon: '$(debug-pause)', enablement: HAS_TASK },
  { id: 'autonomous.resumeTask', title: 'Resume Task', icon: '$(debug-continue)', enablement: HAS_TASK },
  { id: 'autonomous.cancelTask', title: 'Cancel Task', icon: '$(debug-stop)', enablement: HAS_TASK },
  { id: 'autonomous.retryTask', title: 'Retry Task', icon: '$(debug-restart)', enablement: HAS_TASK },
  { id: 'autonomous.removeTask', title: 'Remove Task', icon: '$(trash)', enablement: HAS_TASK },
  { id: 'autonomous.editTask', title: 'Edit Task', icon: '$(edit)', enablement: SEES_TASK },
  { id: 'autonomous.taskReport', title: 'Task Report', icon: '$(book)', enablement: SEES_TASK },
  { id: 'autonomous.taskLog', title: 'Task Log', icon: '$(output)', enablement: SEES_TASK },
  { id: 'autonomous.saveTaskTemplate', title: 'Save Task as Template…', icon: '$(save-as)', enablement: HAS_TASK },
  { id: 'autonomous.scheduleTask', title: 'Schedule Task…', icon: '$(calendar)', enablement: USABLE },
  { id: 'autonomous.openBoard', title: 'Open Board', icon: '$(project)', enablement: FOLDER },
  { id: 'autonomous.pauseJob', title: 'Pause Job', icon: '$(debug-pause)', enablement: HAS_JOB },
  { id: 'autonomous.resumeJob', title: 'Resume Job', icon: '$(debug-continue)', enablement: HAS_JOB },
  { id: 'autonomous.cancelJob', title: 'Cancel Job', icon: '$(debug-stop)', enablement: HAS_JOB },
  { id: 'autonomous.retryFeature', title: 'Retry Feature', icon: '$(debug-restart)', enablement: HAS_JOB },
  { id: 'autonomous.addSetupCommand', title: 'Add Setup Command…', icon: '$(package)', enablement: HAS_JOB },
  { id: 'autonomous.reviewChanges', title: 'Review Changes', icon: '$(diff-multiple)', enablement: WAITS },
  { id: 'autonomous.approve', title: 'Approve', icon: '$(check)', enablement: WAITS },
  { id: 'autonomous.reject', title: 'Reject…', icon: '$(close)', enablement: WAITS },
  { id: 'autonomous.showPlan', title: 'Show Plan', icon: '$(checklist)', enablement: HAS_JOB },
  { id: 'autonomous.editPlan', title: 'Edit Plan', icon: '$(edit)', enablement: HAS_JOB },
  { id: 'autonomous.acceptPlan', title: 'Accept Plan', icon: '$(check)', enablement: HAS_JOB },
  { id: 'autonomous.comparePlans', title: 'Compare Plans', icon: '$(diff)', enablement: HAS_JOB },
  { id: 'autonomous.startBrief', title: 'Start Brief', icon: '$(play)', enablement: USABLE },
  { id: 'autonomous.insertExampleBrief', title: 'Insert Example Brief', icon: '$(lightbulb)', enablement: USABLE },
  { id: 'autonomous.briefOptions', title: 'Brief Options', icon: '$(settings)', enablement: USABLE },
  { id: 'autonomous.approveReviewed', title: 'Approve What Is Reviewed', icon: '$(check)', enablement: REVIEWING },
  { id: 'autonomous.rejectReviewed', title: 'Reject What Is Reviewed…', icon: '$(close)', enablement: REVIEWING },
  { id: 'autonomous.addReviewComment', title: 'Add Comment', enablement: '!commentIsEmpty' },
  { id: 'autonomous.deleteReviewComment', title: 'Delete Comments', icon: '$(trash)', enablement: ALWAYS },
  { id: 'autonomous.editNote', title: 'Edit Note', icon: '$(edit)', enablement: USABLE },
  { id: 'autonomous.saveNote', title: 'Save Note', enablement: `${USABLE} && !commentIsEmpty` },
  { id: 'autonomous.cancelNote', title: 'Cancel', enablement: ALWAYS },
  { id: 'autonomous.resolveNote', title: 'Resolve Note', icon: '$(check)', enablement: USABLE },
  { id: 'autonomous.changeNoteScope', title: 'Change Scope of Note', icon: '$(symbol-namespace)', enablement: USABLE },
  { id: 'autonomous.previewNextPrompt', title: 'Preview Next Prompt', enablement: `${FOLDER} && autonomous.hasJob` },
  { id: 'autonomous.dryRun', title: 'Dry Run', enablement: USABLE },
  { id: 'autonomous.addNote', title: 'Add Note', icon: '$(note)', enablement: `${USABLE} && !commentIsEmpty` },
  { id: 'autonomous.showNotesForFile', title: 'Show Notes for This File', icon: '$(note)', enablement: FOLDER },
  { id: 'autonomous.setApiKey', title: 'Set API Key', icon: '$(key)', enablement: ALWAYS },
  { id: 'autonomous.chooseProvider', title: 'Choose Provider', enablement: ALWAYS },
  { id: 'autonomous.addConnection', title: 'Add Model Connection…', icon: '$(plug)', enablement: USABLE },
  { id: 'autonomous.chooseModels', title: 'Choose Models…', enablement: USABLE },
  { id: 'autonomous.chooseAgent', title: 'Choose Agent…', icon: '$(robot)', enablement: USABLE },
  { id: 'autonomous.showAgents', title: 'Show Agents', icon: '$(robot)', enablement: USABLE },
  { id: 'autonomous.copyApiAddress', title: 'Copy API Address', enablement: API_ON },
  { id: 'autonomous.copyApiToken', title: 'Copy API Token', enablement: API_ON },
  { id: 'autonomous.setDailyLimit', title: 'Set Daily Limit', enablement: USABLE },
  { id: 'autonomous.rules', title: 'Approval Rules…', icon: '$(law)', enablement: USABLE },
  { id: 'autonomous.chooseFolder', title: 'Choose Folder', enablement: 'workspaceFolderCount > 1' },
  { id: 'autonomous.takeOver', title: 'Take Over', enablement: USABLE },
  { id: 'autonomous.restoreState', title: 'Restore Lost State…', enablement: FOLDER },
  { id: 'autonomous.reloadBoard', title: 'Reload Board', icon: '$(refresh)', enablement: FOLDER },
  { id: 'autonomous.restoreAttempt', title: 'Restore Attempt…', enablement: HAS_JOB },
  { id: 'autonomous.cleanUpClones', title: 'Clean Up Clones…', enablement: HAS_JOB },
  { id: 'autonomous.export', title: 'Export…', enablement: USABLE },
  { id: 'autonomous.import', title: 'Import…', enablement: USABLE },
  { id: 'autonomous.doctor', title: 'Doctor', enablement: USABLE },
  { id: 'autonomous.reopenInWsl', title: 'Reopen in WSL', enablement: `${FOLDER} && isWindows && !remoteName` },
  { id: 'autonomous.showLog', title: 'Show Log', enablement: ALWAYS },
  { id: 'autonomous.copyDiagnostics', title: 'Copy Diagnostics', enablement: ALWAYS },
] as const satisfies readonly Command[];

export type CommandId = (typeof COMMANDS)[number]['id'];
