/**
 * What made a live tensor, and where, to follow its name in a message: " from add at app.ts:41:20". Empty in a release
 * build, for a handle that is not known, and where no site was taken.
 */
export function describeSite(_id: number): string {
  return '';
}
