export function writeTable() {}
