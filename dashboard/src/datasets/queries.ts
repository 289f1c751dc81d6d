// Datasets: what is asked of them, and what is changed.

import { graphql, type ResultOf } from "../data/graphql.ts";

export const CreateDataset = graphql(`
    mutation CreateDataset($name: String!, $description: String) {
        createDataset(name: $name, description: $description) {
            id
        }
    }
`);

export const OneDataset = graphql(`
    query OneDataset($id: ID!) {
        dataset(id: $id) {
            id
            name
            description
            createdAt
            itemCount
            checks
        }
    }
`);

export type Dataset = NonNullable<ResultOf<typeof OneDataset>["dataset"]>;

export const UpdateDataset = graphql(`
    mutation UpdateDataset(
        $id: ID!
        $name: String
        $description: String
        $checks: JSON
    ) {
        updateDataset(
            id: $id
            name: $name
            description: $description
            checks: $checks
        ) {
            id
        }
    }
`);

export const DeleteDataset = graphql(`
    mutation DeleteDataset($id: ID!) {
        deleteDataset(id: $id)
    }
`);

export const DatasetItems = graphql(`
    query DatasetItems($id: ID!, $first: Int!, $after: ID) {
        dataset(id: $id) {
            items(first: $first, after: $after) {
                id
                input
                expected
                metadata
                executionId
            }
        }
    }
`);

export type Item = NonNullable<
    ResultOf<typeof DatasetItems>["dataset"]
>["items"][number];

export const AddItems = graphql(`
    mutation AddItems($datasetId: ID!, $items: [DatasetItemInput!]!) {
        addDatasetItems(datasetId: $datasetId, items: $items) {
            id
        }
    }
`);

export const RemoveItems = graphql(`
    mutation RemoveItems($ids: [ID!]!) {
        removeDatasetItems(ids: $ids)
    }
`);
