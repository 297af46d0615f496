import type createClient from "openapi-fetch";
import type { components, paths } from "./shelfwire.d.ts";

/** Mistakes that the compiler finds: each line that follows a mark must not compile, or the check fails. */
export async function mistakes(store: ReturnType<typeof createClient<paths>>): Promise<unknown[]> {
  // @ts-expect-error a price is a string
  await store.PATCH("/items", { body: [{ itemId: "4711", price: 1.99 }] });
  // @ts-expect-error an item needs its id
  await store.PATCH("/items", { body: [{ price: "1.99" }] });
  // @ts-expect-error there is no such field
  const item: components["schemas"]["ItemPatch"] = { itemId: "4711", cost: "1.99" };
  // @ts-expect-error there is no such path
  await store.GET("/item");
  // @ts-expect-error items are not put
  await store.PUT("/items", { body: [] });
  // @ts-expect-error the path names an item
  await store.GET("/items/{itemId}");
  // @ts-expect-error there is no such projection
  await store.GET("/labels", { params: { query: { projection: "XL" } } });
  // @ts-expect-error the timeout must be a number of milliseconds
  const wait: paths["/labels/link-single"]["post"]["parameters"]["query"] = { timeout: "1 s" };

  const { data, error } = await store.GET("/labels/{barcode}", { params: { path: { barcode: "A" } } });
  return [
    item,
    wait,
    // @ts-expect-error the code must first check that there is a label
    data.barcode,
    // @ts-expect-error a problem has no such field
    error?.message,
    // @ts-expect-error this operation has no such problem
    error?.type === "/problems/conflict",
    // @ts-expect-error whether the field is present depends on the projection
    data?.plState.length,
    // @ts-expect-error a label has no such state
    data?.plState === "SLEEPING",
  ];
}
