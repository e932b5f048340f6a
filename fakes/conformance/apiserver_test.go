package conformance

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	snapshotclient "github.com/kubernetes-csi/external-snapshotter/client/v6/clientset/versioned"
	"github.com/stretchr/testify/require"
	"go.etcd.io/etcd/server/v3/embed"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	servertesting "k8s.io/apiextensions-apiserver/pkg/cmd/server/testing"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"
)

// startServer starts a server that has the definitions of the snapshot
// resources, and returns a client of it.
func startServer(t *testing.T) snapshotclient.Interface {
	config := startAPIServer(t, startEtcd(t))
	define(t, config, "snapshot.storage.k8s.io_volumesnapshots.yaml")
	define(t, config, "snapshot.storage.k8s.io_volumesnapshotcontents.yaml")
	client, err := snapshotclient.NewForConfig(config)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return served(client) }, time.Minute, 50*time.Millisecond)
	return client
}

// startEtcd returns the address of a new store. It never syncs its files,
// which are thrown away.
func startEtcd(t *testing.T) string {
	config := embed.NewConfig()
	config.Dir = t.TempDir()
	config.LogLevel = "fatal"
	config.UnsafeNoFsync = true
	free := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config.ListenClientUrls, config.ListenPeerUrls = free, free
	server, err := embed.StartEtcd(config)
	require.NoError(t, err)
	t.Cleanup(server.Close)
	<-server.Server.ReadyNotify()
	return "http://" + server.Clients[0].Addr().String()
}

// nowhere is a kubeconfig that the server wants and never uses.
const nowhere = `{apiVersion: v1, kind: Config, clusters: [{name: none, cluster: {server: "http://127.0.0.1:1"}}],
  contexts: [{name: none, context: {cluster: none}}], current-context: none}`

func startAPIServer(t *testing.T, etcd string) *rest.Config {
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	require.NoError(t, os.WriteFile(kubeconfig, []byte(nowhere), 0o600))
	server := servertesting.StartTestServerOrDie(t, nil, []string{
		"--etcd-servers=" + etcd,
		"--etcd-compaction-interval=0", // it would make revisions of its own
		"--kubeconfig=" + kubeconfig,
		"--authentication-kubeconfig=" + kubeconfig,
		"--authorization-kubeconfig=" + kubeconfig,
		"--authentication-skip-lookup",
		"--enable-priority-and-fairness=false",
		"--disable-admission-plugins=NamespaceLifecycle,MutatingAdmissionWebhook,ValidatingAdmissionWebhook,ValidatingAdmissionPolicy,MutatingAdmissionPolicy",
	}, nil)
	t.Cleanup(server.TearDownFn)
	config := rest.CopyConfig(server.ClientConfig)
	config.ContentType = "application/json"
	config.QPS = -1 // no throttling
	return config
}

// define registers the definition in a file that the client's module ships.
func define(t *testing.T, config *rest.Config, file string) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/kubernetes-csi/external-snapshotter/client/v6").Output()
	require.NoError(t, err)
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "config", "crd", file))
	require.NoError(t, err)
	definition := new(apiextensionsv1.CustomResourceDefinition)
	require.NoError(t, yaml.Unmarshal(data, definition))
	client, err := clientset.NewForConfig(config)
	require.NoError(t, err)
	_, err = client.ApiextensionsV1().CustomResourceDefinitions().Create(t.Context(), definition, metav1.CreateOptions{})
	require.NoError(t, err)
}

// served tells whether both resources can be written: a definition takes a
// moment to be established.
func served(client snapshotclient.Interface) bool {
	for _, p := range ends {
		if _, err := at(client, p).Create(ctx, fresh(p), metav1.CreateOptions{}); err != nil {
			return false
		}
		if err := at(client, p).Delete(ctx, p.Name, metav1.DeleteOptions{}); err != nil {
			return false
		}
	}
	return true
}
