/** Settings of a node that n8n tries again. It reads a wait of 0 as its default of one second. */
export const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
