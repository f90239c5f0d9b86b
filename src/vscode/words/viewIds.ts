/** Names of our views, for whoever shows something in them: what is declared of them is not loaded by the extension. */
export const PANEL_VIEW = 'autonomous.panel';
export const JOBS_VIEW = 'autonomous.jobs';
/** Type of the board as an editor tab. */
export const BOARD_PANEL = 'autonomous.board';
