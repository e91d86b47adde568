/** What is missing where this Parley has no server, and the way to choose one. */
import { Banner } from '@parley/ui';
import type { ReactElement } from 'react';
import { ToSettings } from './to-settings.tsx';

export const NoServer = ({ children }: { children: string }): ReactElement => (
  <Banner action={<ToSettings part="server">Choose a server</ToSettings>}>{children}</Banner>
);
