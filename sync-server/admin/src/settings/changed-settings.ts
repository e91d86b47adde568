import type { SchoolSettings, SchoolSettingsChange } from '@parley/contract';

/** What was edited since the settings were loaded. Another admin may have changed the rest in the meantime. */
export const changedSettings = (loaded: SchoolSettings, draft: SchoolSettings): SchoolSettingsChange =>
  Object.fromEntries(
    (Object.keys(draft) as (keyof SchoolSettings)[]).flatMap((key) =>
      draft[key] === loaded[key] ? [] : [[key, draft[key]]],
    ),
  );
