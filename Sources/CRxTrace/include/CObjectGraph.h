#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The value of `references` for a block that the weak references to one object share, even after the object has been
/// deallocated. The block keeps nothing alive.
enum { rxtrace_of_weak_references = -2 };

/// An object, or a block that something points to.
typedef struct rxtrace_node {
    uintptr_t address;
    size_t size;
    /// The object's type; 0 for a block that is not an object.
    uintptr_t metadata;
    /// The number of counted references to it; -1 if it is immortal or not an object; or `rxtrace_of_weak_references`.
    intptr_t references;
} rxtrace_node;

/// A reference that a node holds.
typedef struct rxtrace_edge {
    int32_t target;
    /// The number of the field's name; -1 for none.
    int32_t label;
    /// The position in a collection; -1 for none.
    int32_t index;
    /// Whether the type of the holder describes the reference. Other edges are words that look like references.
    bool is_typed;
    /// Whether the reference is counted but keeps nothing alive: see `rxtrace_part_lent`.
    bool is_lent;
    /// Whether this is an untyped word that cannot be a reference: typed references account for every count of the
    /// target.
    bool is_refuted;
    /// The code of a closure whose context this refers to; 0 for other references.
    uintptr_t function;
} rxtrace_edge;

/// The references of node *n* are `edges[edge_start[n]]` up to `edges[edge_start[n + 1]]`. The graph is stored
/// outside the heap.
typedef struct rxtrace_graph {
    rxtrace_node *_Nullable nodes;
    rxtrace_edge *_Nullable edges;
    int32_t *_Nullable edge_start;
    int32_t node_count, edge_count;
    size_t node_room, edge_room, start_room;
} rxtrace_graph;

/// The references that a search follows. No search follows a lent reference or a refuted word.
typedef enum rxtrace_followed {
    /// References that types describe.
    rxtrace_follow_typed,
    /// References that types describe, and undescribed words in objects.
    rxtrace_follow_of_objects,
    /// All references, including words in blocks that are not objects.
    rxtrace_follow_any,
} rxtrace_followed;

static inline bool rxtrace_follows(
    rxtrace_followed followed, const rxtrace_edge *_Nonnull edge, const rxtrace_node *_Nonnull holder) {
    return !edge->is_lent && !edge->is_refuted &&
           (edge->is_typed || followed == rxtrace_follow_any ||
               (followed == rxtrace_follow_of_objects && holder->metadata != 0));
}

/// A node that refers to another node, and the edge through which it does.
typedef struct rxtrace_holder {
    int32_t node;
    int32_t edge;
} rxtrace_holder;

/// The number of nodes that are objects.
int32_t rxtrace_graph_objects(const rxtrace_graph *_Nonnull graph);

// None of these functions recurses. Output arrays must be zeroed, and have the stated size.

/// Reverses the graph: the holders of node *n* are `entries[start[n]]` up to `entries[start[n + 1]]`.
/// Room: nodes and 1 for `start`, edges for `entries`. O(n + e).
void rxtrace_graph_turn_round(
    const rxtrace_graph *_Nonnull graph, int32_t *_Nonnull start, rxtrace_holder *_Nonnull entries);

/// Writes for each node the number of its counted references minus the number of typed references to it. The difference
/// is negative if more typed references were found. At least one of them is then no counted reference: a word in memory
/// that only looks like an object, for example. It is `INT32_MAX` for a block and for an immortal object. Room: nodes.
/// O(n + e).
void rxtrace_graph_unaccounted(const rxtrace_graph *_Nonnull graph, int32_t *_Nonnull unaccounted);

/// Marks the words that cannot be references: untyped edges to nodes whose entry in `unaccounted`, the result of
/// `rxtrace_graph_unaccounted`, is 0. O(e).
void rxtrace_graph_refute(rxtrace_graph *_Nonnull graph, const int32_t *_Nonnull unaccounted);

/// Finds the shortest paths from the nodes in `origins`, breadth first. `parent[n].node` is the node before *n* on its
/// path, and `parent[n].edge` is the number of the edge between them plus 1. For `origins[o]`, `parent[n].edge` is
/// -1 - *o*. It is 0 for a node that no path reaches.
///
/// An untyped word is not followed if the `unaccounted` of its target is 0. Typed references then account for every
/// count of the target, and the word cannot be a reference. Room: nodes for `parent` and for `queue`. O(n + e).
void rxtrace_graph_distances(const rxtrace_graph *_Nonnull graph, const int32_t *_Nonnull unaccounted,
    const int32_t *_Nonnull origins, size_t count, rxtrace_followed followed, rxtrace_holder *_Nonnull parent,
    int32_t *_Nonnull queue);

/// Writes a node and all its direct and indirect holders to `nodes`: the node first, then the holders, the nearest
/// first. Returns the number of entries.
///
/// `step[n].node` is the node that holder *n* holds, and `step[n].edge` is the number of the edge between them plus 1;
/// 0 for `node` itself and for nodes that are not holders. `*mismatch` is the first entry whose reference count differs
/// from the number of references to it that were found, and `*found` is that number. `*mismatch` is -1 if there is no
/// such entry. Room: nodes for `nodes` and `step`. O(h) for h holders and the references to them.
int32_t rxtrace_graph_holders_of(const rxtrace_graph *_Nonnull graph, const int32_t *_Nonnull start,
    const rxtrace_holder *_Nonnull entries, int32_t node, rxtrace_followed followed, int32_t *_Nonnull nodes,
    rxtrace_holder *_Nonnull step, int32_t *_Nonnull mismatch, int32_t *_Nonnull found);

/// Writes the number of each node's strongly connected component to `component`. Numbers begin at 1; a node that is not
/// on a cycle has 0. `order`, `low`, `open` and `path` are working memory. Room: nodes for each array. R. Tarjan,
/// Depth-first search and linear graph algorithms (1972), with an explicit stack. O(n + e).
void rxtrace_graph_cycles(const rxtrace_graph *_Nonnull graph, rxtrace_followed followed, int32_t *_Nonnull component,
    int32_t *_Nonnull order, int32_t *_Nonnull low, int32_t *_Nonnull open, rxtrace_holder *_Nonnull path);
