import type { CoachCard } from '@parley/contract';
import type { CoachTurn } from '@parley/domain';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SpeakerProvider } from '../../audio/index.ts';
import type { HostClient } from '../../foundation/host/host-connection.ts';
import { HostProvider } from '../../foundation/host/host-context.tsx';
import { CoachBubble } from './coach-bubble.tsx';

const client = {
  settings: { read: () => new Promise(() => undefined) },
  coach: { offer: () => new Promise(() => undefined) },
} as unknown as HostClient;
const turn = { role: 'coach', text: `I'm here. Is it "urgent"?`, node: 'opening' } as CoachTurn;
const coach = { name: 'Grace', avatarUrl: null, voice: null } as unknown as CoachCard;

const render = (): string =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <HostProvider client={client}>
        <SpeakerProvider>
          <CoachBubble turn={turn} coach={coach} showText isLast={false} />
        </SpeakerProvider>
      </HostProvider>
    </QueryClientProvider>,
  );

it('prints the apostrophes and quotation marks of a coach’s line', () => {
  expect(render()).toContain('>I’m here. Is it “urgent”?</p>');
});

it('announces the line, but none of its buttons', () => {
  const [line, buttons] = render().split('aria-live="off"');
  expect(line).toContain('urgent');
  expect(line).not.toContain('<button');
  expect(buttons).toContain('Hear Grace again');
});
