/** Names of what other extensions register, apart from the schemas that use them: whoever only looks at a name loads no library. */
export const CUSTOM_ACTION = /^[a-z0-9][\w.-]{0,127}\/[A-Za-z0-9][\w.-]{0,63}$/;
