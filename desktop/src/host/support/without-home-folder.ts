/** Removes the home folder from a text, because its name is often that of the learner. */
import { pathToFileURL } from 'node:url';

export interface HomeFolder {
  homeDir: string;
  platform: NodeJS.Platform;
}

/** Log files contain paths as JSON, in which backslashes are doubled, and stack traces contain them as file URLs. */
export function withoutHomeFolder(text: string, { homeDir, platform }: HomeFolder): string {
  const windows = platform === 'win32';
  const forms = [
    pathToFileURL(homeDir, { windows }).href,
    JSON.stringify(homeDir).slice(1, -1),
    homeDir,
    ...(windows ? [homeDir.replaceAll('\\', '/')] : []),
  ];
  return forms.reduce(
    (left, form) => left.replaceAll(new RegExp(escapePattern(form), windows ? 'gi' : 'g'), '~'),
    text,
  );
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
