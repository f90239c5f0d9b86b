/** A style sheet is imported for what it does; the bundler gathers them in main.css. */
declare module '*.css';
