/** Characters of a value, and of all values of a row: what is larger is no table any more. */
export const maxValue = 1024 * 1024;
export const maxRow = 8 * 1024 * 1024;
