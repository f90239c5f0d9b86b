/** Nobody listens here: below the ports that the system hands out, unlike the one of a server that is gone, which the next may get. */
export const DEAD_ADDRESS = '127.0.0.1:2';
