import { expect, test } from 'vitest';
import { findUnknownStep } from './input-paths.js';

const INPUT = {
  type: 'object',
  additionalProperties: false,
  properties: {
    start: { $ref: '#/$defs/moment' },
    blocks: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/block' }, { type: 'null' }] } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    anything: { description: 'Any JSON value.' },
  },
  $defs: {
    moment: {
      type: 'object',
      additionalProperties: false,
      properties: { date_time: { type: 'string' } },
      anyOf: [{ required: ['date_time'] }],
    },
    block: {
      type: 'object',
      additionalProperties: false,
      properties: { text: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/block' } } },
    },
  },
};

test.each(['start.date_time', 'blocks.children.children.text', 'labels.colour', 'anything.deep.down'])(
  'the input has the path %s',
  (path) => {
    expect(findUnknownStep(path, INPUT)).toBeUndefined();
  },
);

test.each([
  { path: 'begin.date_time', parent: [], step: 'begin', known: ['start', 'blocks', 'labels', 'anything'] },
  { path: 'start.datetime', parent: ['start'], step: 'datetime', known: ['date_time'] },
  { path: 'blocks.children.txt', parent: ['blocks', 'children'], step: 'txt', known: ['text', 'children'] },
  { path: 'labels.colour.name', parent: ['labels', 'colour'], step: 'name', known: [] },
  { path: 'start.constructor', parent: ['start'], step: 'constructor', known: ['date_time'] },
])('the input has no path $path', ({ path, parent, step, known }) => {
  expect(findUnknownStep(path, INPUT)).toEqual({ parent, step, known });
});
