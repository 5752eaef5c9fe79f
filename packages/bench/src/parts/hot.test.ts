import { expect, test } from 'vitest';
import { checkBounds } from '../check-bounds.ts';
import type { Medians } from '../run-rounds.ts';
import { toHotResult } from './hot.ts';

const CPU_US = {
  'hand-written floor': 100,
  'node:http pair': 180,
  'fastify + reply-from': 120,
  nginx: 30,
  'ours, SQLite': 160,
  'ours, SQLite, tool': 230,
  'ours, PostgreSQL': 165,
  'ours, PostgreSQL, 4 processes': 200,
  'the same, a database for each': 200,
};

const toMedians = (cpuUs: number): Medians => ({
  cpuUs,
  cpuUsRange: [cpuUs, cpuUs],
  perSecond: 1,
  ownCpuUs: 1,
  p50Ms: 1,
  p99Ms: 1,
});

/**
 * Compares a benchmark run with its limits. The CPU times are plausible examples; `replaced` overrides some of them.
 */
function checkRun(replaced: Readonly<Record<string, number>> = {}, { isQuick = false, check = false } = {}) {
  const figures = Object.entries({ ...CPU_US, ...replaced });
  const medians = new Map(figures.map(([name, cpuUs]) => [name, toMedians(cpuUs)]));
  const { verdicts, invalid, exitCode } = checkBounds([toHotResult(medians, { isQuick })], { check });
  const outcomes = new Map(verdicts.map(({ figure, measured, outcome }) => [figure, { measured, outcome }]));
  return { outcomes, invalid, exitCode };
}

test('a run is valid when the floor is the cheapest Node program, even if nginx is cheaper', () => {
  const { outcomes, invalid, exitCode } = checkRun();
  expect({ invalid, exitCode }).toEqual({ invalid: [], exitCode: 0 });
  expect(outcomes.get('hot.cpuOverCheapest')).toEqual({ measured: 1.6, outcome: 'met' });
  expect(outcomes.get('hot.toolOverProxy')).toEqual({ measured: 230 / 160, outcome: 'met' });
});

test('a run with a slowed floor is not valid, exits with code 2 and checks no figure', () => {
  const { outcomes, invalid, exitCode } = checkRun({
    'hand-written floor': 277,
    'fastify + reply-from': 168,
  });
  expect(exitCode).toBe(2);
  expect(invalid).toEqual([
    expect.stringContaining(
      'the hand-written floor is not the cheapest Node program (hand-written floor 277.0 µs, ' +
        'node:http pair 180.0 µs, fastify + reply-from 168.0 µs, ours, SQLite 160.0 µs, ours, PostgreSQL 165.0 µs)',
    ),
  ]);
  expect([...outcomes.values()].map(({ outcome }) => outcome)).toEqual(Array(4).fill('NOT VALID'));
});

test.each(['node:http pair', 'fastify + reply-from', 'ours, SQLite', 'ours, PostgreSQL'])(
  'a run is not valid when %s is as cheap as the floor or was not measured',
  (name) => {
    expect(checkRun({ [name]: 100 }).exitCode).toBe(2);
    expect(checkRun({ [name]: Number.NaN }).exitCode).toBe(2);
  },
);

test('compares the proxied GET with reply-from when that is cheaper than the floor', () => {
  const { outcomes } = checkRun({ 'hand-written floor': 130 });
  expect(outcomes.get('hot.cpuOverCheapest')?.measured).toBeCloseTo(160 / 120);
});

test('accepts a quick run whose floor is not the cheapest', () => {
  expect(checkRun({ 'hand-written floor': 277 }, { isQuick: true })).toMatchObject({
    invalid: [],
    exitCode: 0,
  });
});

test('a violated bound fails the run only with --check', () => {
  const dear = { 'ours, SQLite': 180 };
  expect(checkRun(dear).outcomes.get('hot.cpuOverCheapest')).toEqual({ measured: 1.8, outcome: 'NOT MET' });
  expect(checkRun(dear).exitCode).toBe(0);
  expect(checkRun(dear, { check: true }).exitCode).toBe(1);
});
