import type { ItemChange } from '../watches/find-changes.js';
import type { PollOutcome } from '../watches/poll-watch.js';
import type { Registry } from './registry.js';

/**
 * Adds the counters of watches (lists of an upstream that the service polls for changes). No label contains a user, an
 * account or an application.
 */
export function addWatches({ counter }: Registry) {
  const addPoll = counter({
    name: 'svc_watch_polls_total',
    help: 'Polls of watched lists by outcome. continued: the list has more pages, which a later poll reads.',
    labels: ['outcome'],
  });
  const addItem = counter({
    name: 'svc_watch_items_total',
    help: 'Items of watched lists that were reported as events, by change.',
    labels: ['change'],
  });
  const polls = {
    succeeded: addPoll('succeeded'),
    continued: addPoll('continued'),
    retried: addPoll('retried'),
    paused: addPoll('paused'),
    failed: addPoll('failed'),
  };
  const items = {
    'watch.item_created': addItem('created'),
    'watch.item_changed': addItem('changed'),
    'watch.item_deleted': addItem('deleted'),
  };
  return {
    countPoll: (outcome: PollOutcome): void => {
      polls[outcome].value += 1;
    },
    countItem: (type: ItemChange['type']): void => {
      items[type].value += 1;
    },
  };
}

export type WatchMetrics = ReturnType<typeof addWatches>;
