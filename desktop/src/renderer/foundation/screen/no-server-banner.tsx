/** Explains what is missing without a server and links to the setting that chooses one. */
import { t } from '@parley/i18n';
import { Banner } from '@parley/ui';
import type { ReactElement } from 'react';
import { SettingsButton } from './settings-button.tsx';

export const NoServerBanner = ({ children }: { children: string }): ReactElement => (
  <Banner action={<SettingsButton part="server">{t('Choose a server')}</SettingsButton>}>{children}</Banner>
);
