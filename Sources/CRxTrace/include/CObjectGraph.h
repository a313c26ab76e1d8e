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
    /// The field; -1 for none.
    int32_t label;
    /// The position in a collection; -1 for none.
    int32_t index;
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

/// The references that are followed.
typedef enum rxtrace_followed {
    /// References that were read by their types.
    rxtrace_follow_typed,
    /// References in objects: typed ones, and undescribed words.
    rxtrace_follow_of_objects,
    /// All references, including those in blocks without an object.
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

/// The number of counted references to each node that are not typed references; negative if there are more typed
/// references than counted references. `INT32_MAX` for a block and for an immortal object. Room: nodes. O(n + e).
void rxtrace_graph_untold(const rxtrace_graph *_Nonnull graph, int32_t *_Nonnull untold);

/// Marks the words that cannot be references, given what `rxtrace_graph_untold` wrote. O(e).
void rxtrace_graph_refute(rxtrace_graph *_Nonnull graph, const int32_t *_Nonnull untold);

/// The shortest ways from the nodes of `origins`: `parent[n].edge` is the edge that a node was reached through and 1,
/// or -1 - *o* for the origin of that number; 0 for nodes that are not reached. A word that is not described leads to
/// where `untold` is above 0: it cannot be a reference that is counted where all of those are known. Room: nodes for
/// `parent` and for `queue`. Breadth first: O(n + e).
void rxtrace_graph_distances(const rxtrace_graph *_Nonnull graph, const int32_t *_Nonnull untold,
    const int32_t *_Nonnull origins, size_t count, rxtrace_followed followed, rxtrace_holder *_Nonnull parent,
    int32_t *_Nonnull queue);

/// All that directly or indirectly holds a node, nearest first and itself the first: how many there are. `step[n].edge`
/// is the edge through which holder *n* holds `step[n].node`, and 1; 0 for those that do not. `*mismatch` is the first
/// of them that is not held as often as it is counted, else
/// -1, and `*found` how often. Room: nodes for `nodes` and `step`. O(h) for h holders and the references between them.
int32_t rxtrace_graph_holders_of(const rxtrace_graph *_Nonnull graph, const int32_t *_Nonnull start,
    const rxtrace_holder *_Nonnull entries, int32_t node, rxtrace_followed followed, int32_t *_Nonnull nodes,
    rxtrace_holder *_Nonnull step, int32_t *_Nonnull mismatch, int32_t *_Nonnull found);

/// The number of the strongly connected component of each node, from 1 on; 0 for nodes that are not on a cycle. Room:
/// nodes for all but `path`, which takes as many. R. Tarjan, Depth-first search and linear graph algorithms (1972),
/// with an explicit stack. O(n + e).
void rxtrace_graph_cycles(const rxtrace_graph *_Nonnull graph, rxtrace_followed followed, int32_t *_Nonnull component,
    int32_t *_Nonnull order, int32_t *_Nonnull low, int32_t *_Nonnull open, rxtrace_holder *_Nonnull path);
