/** Runs an op whose messages programs compare as a whole: they lose the op's name before them. */
export function withoutName<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replace(/^\[\w+\] /, '');
    throw error;
  }
}
