import { expect, it } from 'vitest';
import { isNearAddress } from './near-address.ts';

it.each([
  'http://127.0.0.1:11434/v1',
  'http://localhost:1234/v1',
  'http://[::1]:8080/v1',
  'http://[::ffff:127.0.0.1]:8080/v1',
  'http://192.168.1.20:8000/v1',
  'http://172.31.0.4/v1',
  'http://100.100.1.2/v1',
  'http://[fd00::5]/v1',
  'http://ollama:11434/v1',
  'http://host.docker.internal:11434/v1',
  'http://gpu.local/v1',
])('%s is on this machine or in a private network', (url) => {
  expect(isNearAddress(url)).toBe(true);
});

it.each([
  'https://api.openai.com/v1',
  'https://172.32.0.1/v1',
  'https://8.8.8.8/v1',
  'https://[2001:db8::1]/v1',
  'https://localhost.example/v1',
  'https://local.example.com/v1',
])('%s is not', (url) => {
  expect(isNearAddress(url)).toBe(false);
});
