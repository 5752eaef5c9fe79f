import { PageIterator } from '@microsoft/microsoft-graph-client';
import { expect } from 'vitest';
import type { GraphOperation } from './client.js';

export const sites: readonly GraphOperation[] = [
  { name: 'GET me', call: (graph) => graph.api('/me').get(), gives: { displayName: 'Ada Lovelace' } },
  {
    name: 'GET me, selected',
    call: (graph) => graph.api('/me').select(['id', 'mail']).get(),
    gives: { mail: 'ada@example.com' },
  },
  {
    name: 'GET followed sites',
    call: (graph) => graph.api('/me/followedSites').get(),
    gives: { value: [{ displayName: 'Marketing' }, { displayName: 'Launch' }] },
  },
  {
    name: 'GET me/sites, which is not there',
    call: (graph) => graph.api('/me/sites').get(),
    throws: { statusCode: 400, code: 'BadRequest' },
  },
  {
    name: 'GET sites, searched',
    call: (graph) => graph.api('/sites').query({ search: 'Engineering' }).get(),
    gives: { value: [{ displayName: 'Engineering' }] },
  },
  { name: 'GET sites, all of them', call: (graph) => graph.api('/sites?search=*').get() },
  {
    name: 'GET sites, a page of one',
    call: (graph) => graph.api('/sites?search=*').top(1).get(),
    gives: { '@odata.nextLink': expect.any(String) },
    saves: { nextSites: '@odata\\.nextLink' },
  },
  {
    name: 'GET sites, the next page',
    call: (graph, id) => graph.api(id('nextSites')).get(),
    gives: { value: [{ displayName: 'Marketing' }] },
  },
  {
    name: 'GET sites, every page',
    call: async (graph) => {
      const sites: string[] = [];
      const first = await graph.api('/sites?search=*').top(1).get();
      const pages = new PageIterator(graph, first, (site) => sites.push(site.displayName) > 0);
      await pages.iterate();
      return sites;
    },
    gives: ['Communication site', 'Marketing', 'Engineering'],
  },
  {
    name: 'GET sites, sorted',
    call: (graph) => graph.api('/sites?search=*').orderby('createdDateTime desc').get(),
  },
  {
    name: 'GET sites, sorted by what cannot be',
    call: (graph) => graph.api('/sites?search=*').orderby('name').get(),
    throws: { statusCode: 400 },
  },
  {
    name: 'GET the root site',
    call: (graph) => graph.api('/sites/root').get(),
    gives: { root: {} },
    saves: { site: 'id' },
  },
  {
    name: 'GET a site by its id',
    call: (graph, id) => graph.api(`/sites/${id('site')}`).get(),
    gives: { displayName: 'Communication site' },
  },
  {
    name: 'GET a site by its path',
    call: (graph) => graph.api('/sites/contoso.sharepoint.com:/sites/engineering').get(),
    gives: { displayName: 'Engineering' },
  },
  {
    name: 'GET a site that is not there',
    call: (graph) => graph.api('/sites/contoso.sharepoint.com:/sites/none').get(),
    throws: { statusCode: 404, code: 'itemNotFound' },
  },
  {
    name: 'GET a library',
    call: (graph) => graph.api('/sites/root/drive').get(),
    gives: { driveType: 'documentLibrary' },
    saves: { drive: 'id' },
  },
  {
    name: 'GET a library by its id',
    call: (graph, id) => graph.api(`/drives/${id('drive')}`).get(),
    gives: { driveType: 'documentLibrary' },
  },
  {
    name: 'GET the libraries of a site',
    call: (graph) => graph.api('/sites/root/drives').get(),
    gives: { value: [{ name: 'Documents' }] },
  },
  {
    name: 'GET the own library',
    call: (graph) => graph.api('/me/drive').get(),
    gives: { driveType: 'business' },
  },
  {
    name: 'GET the own libraries',
    call: (graph) => graph.api('/me/drives').get(),
    gives: { value: [{ name: 'OneDrive' }] },
  },
  {
    name: 'GET the lists of a site',
    call: (graph) => graph.api('/sites/root/lists').get(),
    saves: { list: 'value.0.id' },
  },
  {
    name: 'GET a list',
    call: (graph, id) => graph.api(`/sites/root/lists/${id('list')}`).get(),
    gives: { displayName: 'Documents' },
  },
  {
    name: 'GET the items of a list',
    call: (graph, id) =>
      graph
        .api(`/sites/root/lists/${id('list')}/items`)
        .expand('fields')
        .get(),
    gives: { value: [{ fields: {} }, { fields: {} }, { fields: {} }] },
  },
  {
    name: 'GET the columns of a list',
    call: (graph, id) => graph.api(`/sites/root/lists/${id('list')}/columns`).get(),
  },
  {
    name: 'GET an option that nobody takes',
    call: (graph) => graph.api('/sites/root').filter("name eq 'x'").get(),
    throws: { statusCode: 400 },
  },
];
