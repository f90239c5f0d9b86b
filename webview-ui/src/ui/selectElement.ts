/** Defines `<vscode-single-select>` in a separate chunk, since the first paint does not need it. */
import '@vscode-elements/elements/dist/vscode-option/index.js';
import '@vscode-elements/elements/dist/vscode-single-select/index.js';
