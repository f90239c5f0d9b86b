/** Defines `<vscode-single-select>`: a chunk of its own, since nothing of the first paint needs it. */
import '@vscode-elements/elements/dist/vscode-option/index.js';
import '@vscode-elements/elements/dist/vscode-single-select/index.js';
