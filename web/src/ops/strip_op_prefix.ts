/** Runs an op and removes its name, `[op] `, from the message of an error: programs compare these messages as a whole. */
export function stripOpPrefix<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replace(/^\[\w+\] /, '');
    throw error;
  }
}
