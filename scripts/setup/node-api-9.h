// Lets better-sqlite3 13 run where the runtime speaks only Node-API 9 (Electron before 36, Node 20).
//
// better-sqlite3 keeps napi_refs to strings and symbols. Node-API 10 allows that; Node-API 9 allows refs to
// objects only and answers napi_invalid_arg, which the addon treats as fatal. So a primitive is put into a
// small object first, the ref is taken to that object, and reading the ref takes the primitive out again.
// Included before anything else with -include; the addon's own source stays as it is published.
#pragma once
#ifdef __cplusplus

#undef NAPI_VERSION
#define NAPI_VERSION 9
#include <node_api.h>

#include <unordered_set>

namespace fovea_node_api_9 {

// Refs that point to a wrapping object. Refs never leave the thread of the environment that made them.
inline std::unordered_set<napi_ref>& WrappedRefs() {
  static thread_local std::unordered_set<napi_ref> refs;
  return refs;
}

inline bool CanBeReferenced(napi_valuetype type) {
  return type == napi_object || type == napi_function || type == napi_external;
}

inline napi_status CreateReference(napi_env env, napi_value value, uint32_t count, napi_ref* result) {
  napi_valuetype type;
  napi_status status = napi_typeof(env, value, &type);
  if (status != napi_ok) return status;
  if (CanBeReferenced(type)) return napi_create_reference(env, value, count, result);

  napi_value wrapper;
  status = napi_create_object(env, &wrapper);
  if (status == napi_ok) status = napi_set_element(env, wrapper, 0, value);
  // Nobody else holds the wrapper, so a weak ref (count 0) would lose it at the next collection.
  if (status == napi_ok) status = napi_create_reference(env, wrapper, count > 0 ? count : 1, result);
  if (status == napi_ok) WrappedRefs().insert(*result);
  return status;
}

inline napi_status GetReferenceValue(napi_env env, napi_ref ref, napi_value* result) {
  napi_status status = napi_get_reference_value(env, ref, result);
  if (status != napi_ok || *result == nullptr || WrappedRefs().count(ref) == 0) return status;
  return napi_get_element(env, *result, 0, result);
}

inline napi_status DeleteReference(napi_env env, napi_ref ref) {
  // Forgotten first: the address may be given to the next ref.
  WrappedRefs().erase(ref);
  return napi_delete_reference(env, ref);
}

}  // namespace fovea_node_api_9

#define napi_create_reference fovea_node_api_9::CreateReference
#define napi_get_reference_value fovea_node_api_9::GetReferenceValue
#define napi_delete_reference fovea_node_api_9::DeleteReference

#endif
