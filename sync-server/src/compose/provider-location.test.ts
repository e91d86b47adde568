import { describe, expect, it } from 'vitest';
import { locateProvider } from './provider-location.ts';

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'models.office.example': ['10.1.2.3', 'fd00::7'],
  'half.office.example': ['10.1.2.3', '203.0.113.9'],
  'openrouter.example': ['203.0.113.9'],
};
const place = (baseUrl: string | null) => locateProvider(baseUrl, async (name) => ADDRESSES[name] ?? []);

describe('the location of a service', () => {
  it.each([
    ['http://127.0.0.1:11434/v1'],
    ['http://localhost:11434/v1'],
    ['http://[::1]:8080/v1'],
    ['http://[::ffff:127.0.0.1]:8080/v1'],
    ['http://100.100.1.2/v1'],
    ['http://[fd00::5]/v1'],
    ['http://host.docker.internal:11434/v1'],
    ['http://192.168.1.20/v1'],
    ['http://172.31.0.4/v1'],
    ['http://ollama:11434/v1'],
    ['http://gpu-box.local/v1'],
    ['http://llm.internal/v1'],
    ['https://models.office.example/v1'],
  ])('at %s is self-hosted', async (baseUrl) => {
    expect(await place(baseUrl)).toBe('own');
  });

  it.each([
    ['https://openrouter.example/v1'],
    ['https://half.office.example/v1'],
    ['https://unknown.example/v1'],
    ['https://203.0.113.9/v1'],
    ['https://172.32.0.4/v1'],
    ['https://[2001:db8::1]/v1'],
    ['https://api.openai.com.example/v1'],
    ['https://localhost.example/v1'],
    ['https://local.example.com/v1'],
    ['https://8.8.8.8/v1'],
  ])('at %s is a paid provider', async (baseUrl) => {
    expect(await place(baseUrl)).toBe('other');
  });

  it.each([[null], ['https://api.openai.com/v1'], ['https://eu.api.openai.com/v1']])(
    'at %s is OpenAI',
    async (baseUrl) => {
      expect(await place(baseUrl)).toBe('openai');
    },
  );
});
