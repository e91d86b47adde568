/** Confirms that a setting was stored, or says why it was not. */
import { Trans } from '@lingui/react';
import { Icon } from '@parley/ui';
import type { ReactElement } from 'react';
import type { SaveSettings } from '../host/use-save-settings.ts';
import css from './screen.module.css';
import { ErrorBanner } from './screen.tsx';

export const SavedNotice = ({
  save,
  hasUnsavedText = false,
}: {
  save: SaveSettings;
  /** Whether a field differs from what is stored. */
  hasUnsavedText?: boolean;
}): ReactElement => (
  <>
    <p className={css['saved']} role="status">
      {save.isSaved && !hasUnsavedText && (
        <>
          <Trans id="<0/> Saved" components={{ 0: <Icon name="check" /> }} />
        </>
      )}
    </p>
    {save.error !== null && <ErrorBanner error={save.error} />}
  </>
);
