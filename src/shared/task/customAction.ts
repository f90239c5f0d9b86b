/** Names of the actions that other extensions register. Kept apart from the schemas, so that reading a name loads no library. */
export const CUSTOM_ACTION = /^[a-z0-9][\w.-]{0,127}\/[A-Za-z0-9][\w.-]{0,63}$/;
